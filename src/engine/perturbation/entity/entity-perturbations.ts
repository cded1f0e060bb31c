import type { Perturbation } from '../perturbation';
import { lowFrequencyEntities, replaceEntities } from './replace-entities';
import { contextOnly, entityOnly, frequencyMasking } from './views';

export const entityPerturbations: readonly Perturbation[] = [
  ...replaceEntities,
  lowFrequencyEntities,
  entityOnly,
  contextOnly,
  frequencyMasking,
];
