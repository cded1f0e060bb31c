import type { Perturbation } from '../perturbation';
import { emoji, handle, url } from './added';
import { letterCase, whiteSpace } from './case-and-space';
import { changeNumber } from './change-number';
import { homoglyphs, misspellings, ocr, speech } from './confusions';
import { contractions } from './contractions';
import { keyboardTypos } from './keyboard-typos';
import { punctuation, stripPunctuation } from './punctuation';
import { characterDelete, characterInsert, characterSwap, typos } from './typos';
import { repeatedLetters, wordDeletion, wordSwap } from './words-moved';

/** In the order in which suites run them: DiagnoseRE's first. */
export const randomPerturbations: readonly Perturbation[] = [
  punctuation,
  stripPunctuation,
  changeNumber,
  contractions,
  typos,
  keyboardTypos,
  characterInsert,
  characterDelete,
  characterSwap,
  letterCase,
  whiteSpace,
  ocr,
  speech,
  misspellings,
  wordDeletion,
  wordSwap,
  url,
  handle,
  emoji,
  repeatedLetters,
  homoglyphs,
];
