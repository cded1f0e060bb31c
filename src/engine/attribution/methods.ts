/** The methods by their ids; what people need to know of each stands in protocol/attribution.ts. */
import type { MethodId } from '../../protocol/attribution';
import { diagnoseReGradients } from './diagnosere-ig';
import { gradientInputNorm, gradientSensitivity, gradientTimesInput } from './gradient-methods';
import { integratedGradients } from './integrated-gradients';
import type { Method } from './method';
import { occlusion } from './occlusion';

export const methodOf: Readonly<Record<MethodId, Method>> = {
  ig: integratedGradients,
  gxi: gradientTimesInput,
  gs: gradientSensitivity,
  gi: gradientInputNorm,
  'ig-diagnosere': diagnoseReGradients,
  occlusion,
};
