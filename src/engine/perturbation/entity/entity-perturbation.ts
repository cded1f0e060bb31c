import type { PerturbationInfo, VariantPerturbation } from '../perturbation';
import type { Role } from './entity-pool';

/** Which of the two entities a perturbation acts on. */
export type Which = Role | 'both';
export const whichOnes: readonly Which[] = ['head', 'tail', 'both'];

export function rolesOf(which: Which): readonly Role[] {
  return which === 'both' ? ['head', 'tail'] : [which];
}

type EntityInfo = Pick<PerturbationInfo, 'id' | 'name' | 'description'> & Partial<PerturbationInfo>;

/** Changes the entities and leaves the context and, as all sources of this family hold, the label. */
export function entityPerturbation(info: EntityInfo, variants: VariantPerturbation['variants']): VariantPerturbation {
  return {
    kind: 'variants',
    family: 'entity',
    tasks: ['relation'],
    parts: ['head', 'tail'],
    expectation: { kind: 'label-stays' },
    options: [],
    ...info,
    variants,
  };
}
