import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  chooseFolder,
  clearNotifications,
  goTo,
  notifications,
  openFile,
  pickQuickInput,
  pressNotificationButton,
  quickInputItems,
  runCommand,
  typeQuickInput,
  waitForNotification,
  waitForStatusBar,
} from './driver/commands';
import { decorationText, hoverAt, waitForLines } from './driver/editor';
import { tellFailure } from './driver/failure';
import { closeWorkbench, openFolder, openWorkbench, screenshot, type Workbench } from './driver/workbench';

declare const ASSAY_ROOT: string;

const ownModel = path.join(ASSAY_ROOT, '../shared/models/relation-minilm-wiki16');

const hasBadges = (least: number) => (lines: { before: string[] }[]) =>
  lines.filter((line) => line.before.some((text) => /(\.\d\d|1\.0)$/.test(text))).length >= least;

describe('what a person does with a dataset', () => {
  let workbench: Workbench;
  let folder: string;

  function file(name: string, content: string): string {
    const target = path.join(folder, name);
    writeFileSync(target, content);
    return target;
  }
  const lens = (text: RegExp) => workbench.page.locator('.codelens-decoration').filter({ hasText: text }).first();

  /** A quick pick that asks this. */
  const question = (text: string) => workbench.page.locator(`.quick-input-box input[placeholder*="${text}"]`).waitFor();

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'assay-flows-'));
    cpSync(path.join(ASSAY_ROOT, 'samples'), folder, { recursive: true });
    workbench = await openWorkbench(folder);
  });
  afterEach(async function () {
    await tellFailure(this.currentTest, workbench);
    if ((await notifications(workbench)).length > 0) await clearNotifications(workbench);
  });
  after(async () => {
    await closeWorkbench(workbench);
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens a sample with one pick, annotated', async () => {
    await runCommand(workbench, 'Assay: Open Sample');
    await question('Which sample?');
    const offered = await quickInputItems(workbench);
    assert.deepEqual(offered.slice(0, 2), ['Sentiment, CSV', 'Sentiment, JSON Lines']);
    await screenshot(workbench, 'open-sample');
    // Only the first ones are rendered.
    await typeQuickInput(workbench, 'Relations, JSON', { confirm: false });
    await pickQuickInput(workbench, 'Relations, JSON Lines');
    await waitForLines(workbench, hasBadges(5));
    await waitForStatusBar(workbench, 'relation-minilm-semeval2010');
  });

  it('says once and plainly that a file is no dataset', async () => {
    await openFile(workbench, file('settings.json', '{\n  "editor.fontSize": 12,\n  "files.eol": "x"\n}\n'));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    const message = await waitForNotification(workbench, /not like a dataset/);
    assert.match(message, /Open such a file|CSV/);
    assert.equal((await notifications(workbench)).length, 1);
    await screenshot(workbench, 'not-a-dataset');
  });

  it('lets columns be chosen, and remembers them', async function () {
    this.timeout(120_000);
    const rows = [
      'summary,body,stars,verdict',
      'A wonderful film,It was raining that day,5,negative',
      'Dull and endless,The cinema was full,1,positive',
    ];
    await openFile(workbench, file('columns.csv', `${rows.join('\n')}\n`));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await lens(/2 examples/).waitFor();
    await clearNotifications(workbench);
    await runCommand(workbench, 'Assay: Choose Columns');
    await question('What is labelled?');
    await pickQuickInput(workbench, 'Sentiment');
    await question('Which column holds the text?');
    await screenshot(workbench, 'choose-columns');
    await pickQuickInput(workbench, 'summary');
    await question('Which column holds the gold label?');
    await pickQuickInput(workbench, 'verdict');
    await lens(/text: summary · gold: verdict/).waitFor();
    await waitForLines(workbench, (lines) => lines[1]?.after[0]?.startsWith('✗ positive') === true);

    await openFolder(workbench, folder);
    await openFile(workbench, path.join(folder, 'columns.csv'));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await lens(/text: summary · gold: verdict/).waitFor();

    // Columns that are no longer there are no dead end.
    await openFile(
      workbench,
      file('columns.csv', `${['headline', 'body', 'stars', 'verdict'].join(',')}\n${rows.slice(1).join('\n')}\n`),
    );
    await runCommand(workbench, 'Assay: Clear');
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await lens(/2 examples/).waitFor();
  });

  it('lets the columns of a file be chosen that looks like no dataset', async () => {
    const rows = ['alpha,beta', 'red or so,left', 'blue it is,right', 'green then,left'];
    await openFile(workbench, file('unnamed.csv', `${rows.join('\n')}\n`));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await pressNotificationButton(workbench, /none of them surely holds a text/, 'Choose Columns');
    await question('What is labelled?');
    await pickQuickInput(workbench, 'Sentiment');
    await question('Which column holds the text?');
    await pickQuickInput(workbench, 'alpha');
    await question('Which column holds the gold label?');
    await pickQuickInput(workbench, 'None');
    await lens(/3 examples · no gold labels/).waitFor();
    await waitForLines(workbench, (lines) => /^○?\s*(positive|negative) /.test(lines[1]?.after[0] ?? ''));
  });

  it('predicts a line again while it is edited', async () => {
    await openFile(workbench, file('live.csv', 'text,label\nA wonderful film,positive\nDull and endless,negative\n'));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await waitForLines(workbench, (lines) => lines[1]?.after[0]?.startsWith('✓ positive') === true);
    await goTo(workbench, 2, 1);
    await workbench.page.keyboard.press('ControlOrMeta+Delete');
    await workbench.page.keyboard.press('ControlOrMeta+Delete');
    await workbench.page.keyboard.type('Horrible and awful and the worst ');
    await waitForLines(workbench, (lines) => lines[1]?.after[0]?.startsWith('✗ negative') === true);
    const { after } = await decorationText(workbench, 3);
    assert.match(after.join(''), /^✓ negative/, 'the other line keeps its prediction');
    await runCommand(workbench, 'File: Save');
  });

  it('asks what labels mean when they must be guessed, and remembers the answer', async function () {
    this.timeout(120_000);
    await openFile(
      workbench,
      file('guess.csv', 'text,label\nA wonderful film,good one\nDull and endless,bad one\nSimply lovely,good one\n'),
    );
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await pressNotificationButton(workbench, /labels/, 'Match Labels…');
    for (const [label, model] of [
      ['good one', 'positive'],
      ['bad one', 'negative'],
    ] as const) {
      await question(`is “${label}”`);
      await pickQuickInput(workbench, model);
    }
    await lens(/3 examples · accuracy 1\.00/).waitFor();
    await runCommand(workbench, 'Assay: Clear');
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await lens(/3 examples · accuracy 1\.00/).waitFor();
    assert.deepEqual(await notifications(workbench), []);
  });

  it('shows progress with a count and the time left; Cancel ends the run', async function () {
    this.timeout(120_000);
    const rows = Array.from(
      { length: 6000 },
      (_, index) => `Number ${index} of ${Date.now()} is a film that goes on and on without an end in sight,negative`,
    );
    await openFile(workbench, file('long.csv', `text,label\n${rows.join('\n')}\n`));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    const toast = workbench.page
      .locator('.notifications-toasts .notification-list-item')
      .filter({ hasText: /predicting/ });
    await toast
      .filter({ hasText: /[\d,]+ of 6,000 · about \d+ (s|min) left/ })
      .first()
      .waitFor();
    await screenshot(workbench, 'progress');
    await toast.first().hover();
    await toast.first().locator('.monaco-button', { hasText: 'Cancel' }).click();
    await toast.first().waitFor({ state: 'detached' });
    await lens(/6,000 examples · [\d,]+ predicted/).waitFor();
    // The summary is told a little later than it is known.
    await workbench.page.waitForTimeout(2500);
    const before = await lens(/predicted/).textContent();
    await workbench.page.waitForTimeout(2500);
    assert.equal(await lens(/predicted/).textContent(), before, 'it went on after Cancel');
  });

  it("opens a person's own model folder from the dialog", async function () {
    this.timeout(120_000);
    if (!existsSync(ownModel)) this.skip();
    const row = {
      token: ['Anna', 'married', 'the', 'painter', 'Paul', 'Weber', '.'],
      h: { name: 'anna', pos: [0, 1] },
      t: { name: 'paul weber', pos: [4, 6] },
      relation: 'spouse',
    };
    await openFile(workbench, file('family.jsonl', `${JSON.stringify(row)}\n`));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await waitForLines(workbench, hasBadges(1));
    await clearNotifications(workbench);
    await runCommand(workbench, 'Assay: Select Model…');
    await screenshot(workbench, 'select-model');
    await pickQuickInput(workbench, 'Folder…');
    await chooseFolder(workbench, ownModel, 'Use This Model');
    await waitForNotification(workbench, /relation-minilm-wiki16 \(16 labels\) now serves relation datasets/);
    await waitForLines(workbench, (lines) => lines[0]?.after[0]?.startsWith('✓ spouse') === true);
    await waitForStatusBar(workbench, 'relation-minilm-wiki16');
    await runCommand(workbench, 'Assay: Select Model…');
    await pickQuickInput(workbench, 'relation-minilm-semeval2010');
    await waitForStatusBar(workbench, 'relation-minilm-semeval2010');
  });

  it('goes from finding to finding', async () => {
    await openFile(workbench, path.join(folder, 'sentiment.csv'));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await lens(/16 wrong/).waitFor();
    await goTo(workbench, 1);
    await runCommand(workbench, 'Assay: Next Finding');
    await waitForStatusBar(workbench, /finding 1 of 16: positive 0\.99, gold negative/);
    await waitForStatusBar(workbench, /Ln 5, Col/);
    await runCommand(workbench, 'Assay: Previous Finding');
    await waitForStatusBar(workbench, /finding 16 of 16/);
  });

  it('marks a row that cannot be read on its line, with the reason', async () => {
    await openFile(
      workbench,
      file(
        'broken.jsonl',
        '{"text": "A fine film", "label": "positive"}\n{"text": "Cut off\n{"text": "Dull", "label": "negative"}\n',
      ),
    );
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    const lines = await waitForLines(workbench, hasBadges(2));
    assert.match(lines[1]?.before.join('') ?? '', /⚠/);
    assert.match(lines[1]?.after.join('') ?? '', /assay\/unreadable-row/);
    await hoverAt(workbench, 2, 'Cut');
    await screenshot(workbench, 'unreadable-row');
  });

  it('has a first walkthrough', async () => {
    await runCommand(workbench, 'Welcome: Open Walkthrough...');
    await pickQuickInput(workbench, 'Get started with Assay');
    await workbench.page.getByText('Open a sentiment sample').first().waitFor();
    await screenshot(workbench, 'walkthrough');
  });
});
