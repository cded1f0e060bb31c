/** **Open Sample**: a small dataset of each format, copied to where it may be edited, opened and diagnosed. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { diagnoseDataset } from './diagnose-dataset';

interface Sample extends vscode.QuickPickItem {
  file: string;
  /** Files that are read with it. */
  companions?: readonly string[];
}

interface Separator extends vscode.QuickPickItem {
  file?: undefined;
}

const separator = (label: string): Separator => ({ label, kind: vscode.QuickPickItemKind.Separator });

const sentiment: readonly Sample[] = [
  {
    file: 'sentiment.csv',
    label: 'Sentiment, CSV',
    detail: 'Reviews with quoted fields, accents and emoji; some labels wrong on purpose',
  },
  {
    file: 'sentiment.jsonl',
    label: 'Sentiment, JSON Lines',
    detail: 'The same reviews with 0/1 labels and JSON escapes',
  },
  { file: 'reviews.json', label: 'Star ratings, nested JSON', detail: 'Reviews below "data", the text in review.text' },
  { file: 'reviews.parquet', label: 'Sentiment, Parquet', detail: 'Opens in pages, an example a line' },
  { file: 'sentiment.columns.json', label: 'Sentiment, JSON columns', detail: 'One object of columns' },
  { file: 'sentiment.fasttext.txt', label: 'Sentiment, fastText', detail: '__label__ before each sentence' },
  { file: 'sentiment.trees.txt', label: 'Sentiment trees (SST)', detail: 'Bracketed, five grades, a label a phrase' },
  { file: 'reviews.pos', label: 'Sentences, a line each', detail: 'The label stands in the name of the file alone' },
  { file: 'aspects.xml', label: 'Aspects, SemEval-2014 XML', detail: 'Several opinions a sentence' },
  { file: 'aspects.json', label: 'Aspects, JSON', detail: 'Words, and aspects with their polarity' },
  { file: 'aspects.lines.txt', label: 'Aspects, three lines each', detail: '$T$ stands for the aspect' },
];

const relations: readonly Sample[] = [
  {
    file: 'relations.jsonl',
    label: 'Relations, JSON Lines',
    detail: 'Tokens with head and tail entity, nineteen labels',
  },
  {
    file: 'relations.semeval.txt',
    label: 'Relations, SemEval-2010 text',
    detail: 'The same sentences with <e1> and <e2> markers',
  },
  { file: 'relations.tacred.json', label: 'Relations, TACRED', detail: 'Token offsets whose ends are inclusive' },
  {
    file: 'relations.fewrel.json',
    companions: ['pid2name.json'],
    label: 'Relations, FewRel',
    detail: 'One line of JSON; a file beside it names the relations',
  },
  {
    file: 'relations.docred.json',
    companions: ['pid2name.json'],
    label: 'Relations in documents, DocRED',
    detail: 'Every labelled pair is an example, with all its mentions',
  },
  {
    file: 'relations.scierc.jsonl',
    label: 'Relations in documents, SciERC',
    detail: 'Offsets over the whole document',
  },
  { file: 'relations.spert.json', label: 'Relations, SpERT', detail: 'Entities and relations by token' },
  { file: 'relations.conll.txt', label: 'Relations, CoNLL04 columns', detail: 'A token a line, BIO tags' },
  {
    file: 'relations.brat.txt',
    companions: ['relations.brat.ann'],
    label: 'Relations, BRAT',
    detail: 'Text, and its annotations in a file beside it',
  },
  { file: 'relations.offsets.csv', label: 'Relations, CSV with offsets', detail: 'Entities by character offsets' },
  { file: 'relations.marked.tsv', label: 'Relations, TSV with markers', detail: '[E1] and [E2] around the entities' },
];

/** `file` comes from the walkthrough: no question is asked then. */
export async function openSample(app: App, file?: string): Promise<void> {
  const chosen =
    [...sentiment, ...relations].find((sample) => sample.file === file) ??
    (await vscode.window.showQuickPick<Sample | Separator>(
      [separator('Sentiment'), ...sentiment, separator('Relations'), ...relations],
      { title: 'Open a sample dataset', placeHolder: 'Which sample?', matchOnDetail: true },
    ));
  if (chosen?.file === undefined) return;
  for (const companion of chosen.companions ?? []) await copyOnce(app, companion);
  await diagnoseDataset(app, await copyOnce(app, chosen.file));
}

/** Where the person's copy of a sample's file is. One that they have edited is theirs. */
async function copyOnce(app: App, file: string): Promise<vscode.Uri> {
  const target = vscode.Uri.joinPath(app.storageUri, 'samples', file);
  const isThere = await vscode.workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
  if (!isThere) await vscode.workspace.fs.copy(vscode.Uri.joinPath(app.extensionUri, 'samples', file), target);
  return target;
}
