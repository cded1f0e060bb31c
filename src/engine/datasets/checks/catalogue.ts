import type { Severity } from '../../../protocol/dataset';

/** What can be wrong with the data itself. A code is stable: people disable and review findings by it. */
export interface CheckKind {
  readonly severity: Severity;
  /** For lists: the kind of fault, in a few words. */
  readonly title: string;
}

/** Every code has a page `docs/findings/NAME.md` (the code without `assay/`). */
export const catalogue = {
  'assay/unreadable-row': { severity: 'error', title: 'Unreadable row' },
  'assay/span-out-of-bounds': { severity: 'error', title: 'Entity out of bounds' },
  'assay/entity-not-found': { severity: 'error', title: 'Entity not in the text' },
  'assay/multi-label': { severity: 'warning', title: 'Several labels' },
  'assay/empty-text': { severity: 'warning', title: 'Empty text' },
  'assay/entities-cross': { severity: 'warning', title: 'Head and tail overlap' },
  'assay/entities-equal': { severity: 'warning', title: 'Head and tail are the same words' },
  'assay/entity-name': { severity: 'warning', title: 'Entity is not what its name says' },
  'assay/inclusive-end': { severity: 'warning', title: 'Inclusive and exclusive ends mistaken' },
  'assay/markers': { severity: 'warning', title: 'Entity markers missing or doubled' },
  'assay/misspelt-label': { severity: 'warning', title: 'Label misspelt' },
  'assay/unknown-label': { severity: 'warning', title: 'Label unknown' },
  'assay/duplicate': { severity: 'warning', title: 'Duplicate' },
  'assay/near-duplicate': { severity: 'information', title: 'Near duplicate' },
  'assay/leakage': { severity: 'warning', title: 'Also in another split' },
  'assay/conflicting-labels': { severity: 'warning', title: 'Same text, different labels' },
  'assay/truncated-input': { severity: 'information', title: 'Longer than the model reads' },
  'assay/truncated-entity': { severity: 'warning', title: 'Entity cut off by the model' },
  'assay/mixed-language': { severity: 'information', title: 'Languages mixed' },
  'assay/other-language': { severity: 'information', title: 'Language unlike the rest' },
  'assay/control-character': { severity: 'warning', title: 'Control character' },
  'assay/mojibake': { severity: 'warning', title: 'Wrongly decoded text' },
  'assay/html': { severity: 'information', title: 'HTML remains' },
  'assay/replacement-character': { severity: 'warning', title: 'Lost character (U+FFFD)' },
  'assay/class-imbalance': { severity: 'information', title: 'Classes out of balance' },
  'assay/few-examples': { severity: 'information', title: 'Label with few examples' },
  'assay/unseen-label': { severity: 'warning', title: 'Label never seen in train' },
  'assay/label-copy': { severity: 'information', title: 'Another column repeats the label' },
  'assay/label-leak': { severity: 'warning', title: 'Another column gives the label away' },
} as const satisfies Readonly<Record<string, CheckKind>>;

export type CheckCode = keyof typeof catalogue;

export function isCheckCode(code: string): code is CheckCode {
  return Object.hasOwn(catalogue, code);
}
