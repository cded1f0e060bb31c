import type { Perturbation } from '../perturbation';
import { dropTopWords } from './drop-top-words';
import { minimalFlip } from './minimal-flip';
import { doubleNegation, negationAdded, negationRemoved } from './negation';
import { rolesExchanged } from './roles-exchanged';

export const counterfactualPerturbations: readonly Perturbation[] = [
  negationAdded,
  negationRemoved,
  doubleNegation,
  rolesExchanged,
  dropTopWords,
  minimalFlip,
];
