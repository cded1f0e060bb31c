/**
 * The rules, one an operator. To add one: write the function into the file of its family (or a new file), name it in the
 * record at its end, and list the operator with a small example in test/unit/onnx/gradient-rules.test.ts, which compares it with
 * finite differences and fails for an operator that has no example. If shapes/rules.ts does not know the operator's output
 * shape, add that too: it only saves time.
 */
import { activationRules } from './activations';
import { arithmeticRules } from './arithmetic';
import type { GradientRule } from './context';
import { linearRules } from './linear';
import { movementRules } from './movement';
import { normalisationRules } from './normalisation';
import { quantisationRules } from './quantisation';
import { reductionRules } from './reductions';

/** By operator: its name, with its domain where it is not ONNX's own. */
export const gradientRules: ReadonlyMap<string, GradientRule> = new Map(
  Object.entries({
    ...arithmeticRules,
    ...activationRules,
    ...linearRules,
    ...normalisationRules,
    ...reductionRules,
    ...movementRules,
    ...quantisationRules,
  }),
);

/** Operators whose output does not change with a small change of what they read, or is no number at all. */
export const inertOperators: ReadonlySet<string> = new Set([
  ...['Shape', 'Size', 'ConstantOfShape', 'Range', 'NonZero', 'ArgMax', 'ArgMin', 'OneHot', 'EyeLike'],
  ...['Equal', 'Greater', 'GreaterOrEqual', 'Less', 'LessOrEqual', 'And', 'Or', 'Xor', 'Not', 'IsNaN', 'IsInf'],
  ...['Sign', 'Floor', 'Ceil', 'Round'],
]);
