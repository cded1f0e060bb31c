/** What the hover says of the variants that fail: each with what was changed in it, and what the model says of it then. */
import type { FailingVariant, VariantCounts, VariantPiece } from '../../protocol/robustness';
import { escapeMarkdown, shorten } from '../annotations/markdown';

const labelLength = 40;
const pieceLength = 60;

/** Null: no variant fails, or none was made. */
export function failuresMarkdown({ variants, failing }: VariantCounts, failures: readonly FailingVariant[]): string {
  if (variants === 0) return '*No perturbation applies to this example.*';
  if (failing === 0) return `*All ${variants} variants hold.*`;
  const lines = failures.map(({ test, pieces, label, probability }) => {
    const changed = pieces.length === 0 ? 'head and tail change places' : pieces.map(pieceMarkdown).join('');
    return `- *${escapeMarkdown(test)}*: ${changed} → **${escapeMarkdown(shorten(label, labelLength))}** ${probability.toFixed(2)}`;
  });
  const more = failing - failures.length;
  const rest = more > 0 ? [`- *and ${more} more*`] : [];
  return [`**${failing} of ${variants} variants fail**`, '', ...lines, ...rest].join('\n');
}

/** Spaces at its ends stay outside: Markdown marks nothing that begins with one. */
function pieceMarkdown({ kind, text }: VariantPiece): string {
  const shown = escapeMarkdown(shorten(text, pieceLength));
  if (kind === 'same') return shown;
  const [, before = '', inside = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(shown) ?? [];
  if (inside === '') return kind === 'removed' ? '~~␣~~' : '**␣**';
  const mark = kind === 'removed' ? '~~' : '**';
  return `${before}${mark}${inside}${mark}${after}`;
}
