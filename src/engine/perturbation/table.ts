/** All perturbations. A new one is a file in its family's folder and an entry in the family's list. */
import { counterfactualPerturbations } from './counterfactual/counterfactual-perturbations';
import { entityPerturbations } from './entity/entity-perturbations';
import type { Perturbation } from './perturbation';
import { randomPerturbations } from './random/random-perturbations';

export const perturbations: readonly Perturbation[] = [
  ...randomPerturbations,
  ...counterfactualPerturbations,
  ...entityPerturbations,
];

export function perturbationById(id: string): Perturbation | undefined {
  return perturbations.find((one) => one.id === id);
}
