/** Perturbations that a person describes in a suite file: words or patterns, and what is written in their place. */
import type { Task } from '../../../protocol/dataset';
import type { Expectation, Part } from '../../../protocol/perturbation';
import type { TextPerturbation } from '../perturbation';
import { matchesOf } from '../slice';
import type { Edit } from '../source';

/** What is looked for, and what it may become. Each of `by` makes a variant in which all that is found is replaced. */
export type Replacement =
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly by: readonly string[] }
  /** `$1` and its like stand for what the groups of the pattern matched. */
  | { readonly kind: 'pattern'; readonly pattern: RegExp; readonly by: readonly string[] };

export interface OwnPerturbation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tasks: readonly Task[];
  readonly parts: readonly Part[];
  readonly expectation: Expectation;
  readonly replace: readonly Replacement[];
}

/** Matches in one text, at most: a pattern may match between all characters. */
const mostMatches = 200;

export function ownPerturbation({ replace, ...info }: OwnPerturbation): TextPerturbation {
  return {
    ...info,
    kind: 'text',
    family: 'own',
    options: [],
    edits(source, { regions }) {
      const variants = replace.flatMap((rule) =>
        rule.by.flatMap((by): Edit[][] => {
          const edits = regions.flatMap((region) => {
            const text = source.text.slice(region.start, region.end);
            return found(rule, text, by).map(
              ({ start, end, written }): Edit => ({
                start: region.start + start,
                end: region.start + end,
                text: written,
                region,
              }),
            );
          });
          return edits.length === 0 ? [] : [edits];
        }),
      );
      return variants.length === 0 ? { reason: 'none of its words and patterns is in the text' } : variants;
    },
  };
}

function found(rule: Replacement, text: string, by: string): { start: number; end: number; written: string }[] {
  if (rule.kind === 'pattern') {
    return matchesOf(rule.pattern, text, mostMatches, by).map((match) => ({
      ...match,
      written: match.replacement ?? by,
    }));
  }
  // Longer words first, so that "very good" is not taken for "very".
  const words = [...rule.words].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(pattern)].slice(0, mostMatches).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    written: inCaseOf(match[0], by),
  }));
}

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** With a capital letter first, or in capitals, as the word is whose place it takes. */
function inCaseOf(word: string, by: string): string {
  const [first = ''] = word;
  if (first === first.toLowerCase()) return by;
  if (word.length > 1 && word === word.toUpperCase()) return by.toUpperCase();
  const [start = ''] = by;
  return start.toUpperCase() + by.slice(start.length);
}
