import assert from 'node:assert/strict';
// What stands behind it asks for `vscode` at once.
import './fake-vscode';

import type { Uri } from 'vscode';
import type { App } from '../../../src/host/app';
import { markReviewed, unmarkReviewed } from '../../../src/host/commands/mark-reviewed';
import { followRenames } from '../../../src/host/findings/follow-renames';
import { ReviewedFiles } from '../../../src/host/findings/reviewed-files';
import type { Supervisor } from '../../../src/host/worker/supervisor';
import { fake } from './fake-vscode';

const dataset = fake.uri('/work/data/rows.csv') as unknown as Uri;
const reviewed = '/work/.assay/reviewed.json';
const judged = '{"version": 1, "reviewed": [{"file": "data/rows.csv"}]}';

describe('what was reviewed, in a workspace that is not trusted', () => {
  let files: ReviewedFiles;
  let asked: string[];

  beforeEach(() => {
    fake.isTrusted = false;
    fake.files.clear();
    fake.files.set(reviewed, judged);
    fake.accesses.length = 0;
    fake.warnings.length = 0;
    fake.commands.length = 0;
    fake.answer = undefined;
    fake.watched = 0;
    asked = [];
    files = new ReviewedFiles();
  });
  afterEach(() => {
    files.dispose();
    fake.isTrusted = true;
  });

  /** Findings that say yes to whatever is asked. */
  const app = () => {
    const changeReviewed = async ({ isReviewed, text }: { isReviewed: boolean; text: string | null }) => {
      asked.push(isReviewed ? 'mark' : 'unmark');
      return { kind: 'changed', text: `${text} and one more`, count: 1 };
    };
    const session = { document: { uri: dataset }, findings: { changeReviewed } };
    return { sessions: { byUri: () => session }, reviewedFiles: files } as unknown as App;
  };
  const ref = { uri: dataset.toString(), id: 1 };

  it('is not even read: it could hide what is wrong', async () => {
    assert.deepEqual(await files.read(dataset), { file: 'data/rows.csv', text: null });
    assert.deepEqual(fake.accesses, []);
    assert.equal(fake.watched, 0);
    fake.isTrusted = true;
    assert.deepEqual(await files.read(dataset), { file: 'data/rows.csv', text: judged });
    assert.equal(fake.watched, 1);
  });

  it('is not written by Mark as Reviewed, which says why and leads to the trust of the workspace', async () => {
    await markReviewed(app(), ref);
    assert.equal(fake.warnings.length, 1);
    assert.match(fake.warnings[0]!, /the folder is not trusted: nothing is read from that file or written to it/);
    assert.deepEqual(fake.commands, []);
    fake.answer = 'Manage Workspace Trust';
    await unmarkReviewed(app(), ref, [ref]);
    assert.deepEqual(fake.commands, ['workbench.trust.manage']);
    // Whatever was answered: what was asked for is not done behind it.
    assert.deepEqual([asked, fake.accesses, fake.files.get(reviewed)], [[], [], judged]);
    fake.isTrusted = true;
    await markReviewed(app(), ref);
    assert.deepEqual([asked, fake.warnings.length], [['mark'], 2]);
    assert.equal(fake.files.get(reviewed), `${judged} and one more`);
  });

  it('does not follow a file that is renamed', async () => {
    const errors: unknown[] = [];
    const request = async (_: string, { to }: { to: string }) => {
      asked.push(to);
      return { kind: 'changed', text: 'renamed', count: 1 };
    };
    const following = followRenames({ request } as unknown as Supervisor, files, (error) => errors.push(error));
    const rename = async () => {
      fake.renamed.fire({
        files: [{ oldUri: fake.uri('/work/data/rows.csv'), newUri: fake.uri('/work/data/new.csv') }],
      });
      await new Promise((resolve) => setImmediate(resolve));
      await files.write({ ...place, reviewed: fake.uri('/work/other.json') as unknown as Uri }, async () => null);
    };
    const place = { folder: fake.uri('/work') as unknown as Uri, file: '', isInWorkspace: true };
    await rename();
    assert.deepEqual([asked, fake.files.get(reviewed)], [[], judged]);
    fake.isTrusted = true;
    await rename();
    assert.deepEqual([asked, fake.files.get(reviewed), errors], [['data/new.csv'], 'renamed', []]);
    following.dispose();
  });
});
