/** **Choose Columns**: what the text, the gold label and the entities are read from. Remembered for the file. */
import * as vscode from 'vscode';
import type { ColumnCandidate, ColumnChoice, Task } from '../../protocol/dataset';
import type { App } from '../app';
import { pageAddress } from '../pages/page-uri';
import { Refused, UserError } from '../user-error';
import { activeSession } from './active-session';
import { diagnoseDataset, diagnosePage } from './diagnose-dataset';
import { runWithProgress } from './run-with-progress';

type Part = 'text' | 'gold' | 'head' | 'tail';

const questionOf: Readonly<Record<Part, string>> = {
  text: 'Which column holds the text?',
  gold: 'Which column holds the gold label?',
  head: 'Which column holds the head entity?',
  tail: 'Which column holds the tail entity?',
};

/** `refused`: the file of a message that said it is no dataset. */
export async function chooseColumns(app: App, refused?: unknown): Promise<void> {
  if (refused instanceof Refused) {
    const choice = await ask({ columns: { task: 'sentiment' }, candidates: refused.candidates });
    if (choice === null) return;
    // Columns that do not fit are forgotten when the file is read.
    await app.memory.setColumns(refused.file, choice);
    await diagnoseDataset(app, refused.file);
    return;
  }
  const { session, editor } = activeSession(app);
  const info = await session.open();
  if (info.candidates.length === 0) {
    throw new UserError(
      `${info.formatDetail} has fixed places for text, label and entities: there are no columns to choose.`,
    );
  }
  const choice = await ask(info);
  if (choice === null) return;
  const page = pageAddress(editor.document.uri);
  if (page !== null) {
    const first = await app.pages.openWith(page.file, choice);
    if (first !== null) await diagnosePage(app, first);
    return;
  }
  await session.chooseColumns(choice);
  await runWithProgress(app, session, null);
}

async function ask(info: {
  columns: ColumnChoice;
  candidates: readonly ColumnCandidate[];
}): Promise<ColumnChoice | null> {
  const task = await askTask(info.columns.task);
  if (task === null) return null;
  const choice: ColumnChoice = { task, ...(info.columns.id === undefined ? {} : { id: info.columns.id }) };
  const parts: Part[] = task === 'relation' ? ['text', 'gold', 'head', 'tail'] : ['text', 'gold'];
  for (const [index, part] of parts.entries()) {
    const column = await askColumn(info.candidates, part, info.columns[part], `${index + 2}/${parts.length + 1}`);
    if (column === null) return null;
    if (column !== noColumn) choice[part] = column;
  }
  return choice;
}

async function askTask(current: Task): Promise<Task | null> {
  const items: { label: string; task: Task; description: string }[] = [
    { label: 'Sentiment', task: 'sentiment', description: 'one label a text' },
    { label: 'Relation', task: 'relation', description: 'one label a pair of entities in a text' },
  ];
  items.sort((a, b) => Number(b.task === current) - Number(a.task === current));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Choose Columns (1)',
    placeHolder: 'What is labelled?',
  });
  return picked?.task ?? null;
}

const noColumn = Symbol('no column');

async function askColumn(
  candidates: readonly ColumnCandidate[],
  part: Part,
  current: string | undefined,
  step: string,
): Promise<string | typeof noColumn | null> {
  const items = candidates.map((candidate) => ({
    label: candidate.name,
    description: candidate.name === current ? 'as now' : '',
    detail: candidate.examples.join('  ·  '),
    column: candidate.name as string | typeof noColumn,
  }));
  items.sort((a, b) => Number(b.label === current) - Number(a.label === current));
  if (part === 'gold') {
    const item = {
      label: 'None',
      description: 'the dataset is unlabelled',
      detail: '',
      column: noColumn as typeof noColumn,
    };
    if (current === undefined) items.unshift(item);
    else items.push(item);
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: `Choose Columns (${step})`,
    placeHolder: questionOf[part],
  });
  return picked === undefined ? null : picked.column;
}
