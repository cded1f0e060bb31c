import { applyEdits } from '../edits';
import { stopWords } from '../lexicon/stop-words';
import type { SearchPerturbation } from '../perturbation';
import { withoutWords } from '../words';
import { removableWords } from './weighed-words';

/**
 * The most attributed words deleted (Li et al. 2021, DiagnoseRE, Q3): without them a text should say no relation. As in the paper only of
 * examples that are predicted rightly and have a relation, of words that score a share of the highest and are no stop words; unlike it, of
 * whole words, and of entities only where a suite asks for them.
 */
export const dropTopWords: SearchPerturbation = {
  kind: 'search',
  id: 'drop-top-words',
  family: 'counterfactual',
  name: 'Without the words that count',
  description:
    'Deletes the words that the model looked at most, so that no relation should be left: Li et al. 2021 (DiagnoseRE, Q3).',
  tasks: ['relation'],
  parts: ['before', 'between', 'after'],
  expectation: { kind: 'negative' },
  options: [
    { name: 'count', description: 'words that are deleted', standard: 1, low: 1, high: 20, isInteger: true },
    {
      name: 'threshold',
      description: 'share of the highest score that a word must have',
      standard: 0.2,
      low: 0,
      high: 1,
      isInteger: false,
    },
  ],
  *search(source, { regions, option }, { gold, predicted, negative }) {
    if (gold === null || gold !== predicted) return { reason: 'it is not predicted rightly' };
    if (gold === negative) return { reason: 'it has no relation already' };
    const { words } = yield { kind: 'words' };
    const allowed = new Set(regions.map(({ start }) => start));
    const found = removableWords(source, words, ({ start }) => allowed.has(start));
    const highest = Math.max(0, ...words.map(({ score }) => Math.abs(score)));
    const top = found
      .filter(({ start, end }) => !stopWords.has(source.text.slice(start, end).toLowerCase()))
      .filter(({ score }) => Math.abs(score) >= option('threshold') * highest)
      .slice(0, option('count'));
    if (top.length === 0) return { reason: 'no word of the context counts for much' };
    return [applyEdits(source, withoutWords(source.text, top))];
  },
};
