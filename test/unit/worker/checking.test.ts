import assert from 'node:assert/strict';
import { defaultCheckSettings } from '../../../src/engine/datasets/checks/settings';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { Checking } from '../../../src/worker/checking';

const plan = async () => ({ settings: defaultCheckSettings, whole: { split: null, others: [] } });

/** Rows that take the checks a good number of slices. */
function manyRows(): DatasetDocument {
  const rows = Array.from({ length: 30_000 }, (_, index) =>
    JSON.stringify({ text: index % 10 === 0 ? '' : `A film, number ${index}, of a long list`, label: 'positive' }),
  );
  return DatasetDocument.open({ name: 'rows.jsonl', text: rows.join('\n') });
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
const isSettled = async (promise: Promise<void>) => {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await turn();
  return settled;
};

describe('checking in slices', () => {
  let document: DatasetDocument;
  let breaths: number;
  let faults: unknown[];
  let checking: Checking;
  let rested: Promise<void>;
  /** Called between two slices. */
  let between: () => void;

  before(() => {
    document = manyRows();
  });
  beforeEach(() => {
    breaths = 0;
    faults = [];
    between = () => {};
    let rest = () => {};
    rested = new Promise((resolve) => {
      rest = resolve;
    });
    checking = new Checking({
      document,
      breathe: async () => {
        breaths++;
        between();
        await turn();
      },
      onChange: () => {
        if (!checking.isRunning) rest();
      },
      onFault: (error) => faults.push(error),
    });
  });
  afterEach(() => {
    checking.dispose();
    assert.deepEqual(faults, []);
  });

  it('lets others in between two slices', async () => {
    checking.configure(plan);
    assert.equal(checking.isRunning, true);
    assert.equal(checking.findings.length, 0);
    await rested;
    assert.ok(breaths > 2, String(breaths));
    assert.equal(checking.findings.filter(({ code }) => code === 'assay/empty-text').length, 3000);
  });

  it('stands still while it is held, and keeps nobody waiting', async () => {
    checking.hold(true);
    checking.configure(plan);
    for (let times = 0; times < 20; times++) await turn();
    assert.equal(breaths, 0);
    assert.equal(checking.isRunning, true);
    assert.equal(await isSettled(checking.share(1e9)), true);
    checking.hold(false);
    await rested;
    assert.ok(checking.findings.length > 0);
  });

  it('gets its share of the time, and no more', async () => {
    assert.equal(await isSettled(checking.share(1e9)), true, 'nothing to do');
    let some: Promise<void> | null = null;
    let all: Promise<void> | null = null;
    between = () => {
      some ??= checking.share(1);
      all ??= checking.share(1e9);
    };
    checking.configure(plan);
    assert.equal(await isSettled(checking.share(1e9)), true, 'it has not begun');
    while (some === null) await turn();
    await some;
    assert.equal(checking.isRunning, true);
    await Promise.all([rested, all]);
  });

  it('nobody waits for a run that is given up', async () => {
    let share: Promise<void> | null = null;
    between = () => {
      share ??= checking.share(1e9);
    };
    checking.configure(plan);
    while (share === null) await turn();
    checking.edited();
    await share;
    assert.equal(checking.isRunning, true, 'the pause after the edit');
    checking.dispose();
    assert.equal(checking.isRunning, false);
  });

  it('tells a fault of a check, and goes on living', async () => {
    checking.configure(async () => {
      throw new Error('no plan');
    });
    await rested;
    assert.equal(faults.length, 1);
    faults = [];
    assert.equal(checking.isRunning, false);
  });
});
