/** All commands, each from a file of its own; what they throw is said to the person here, once. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { sayError } from '../say-error';
import { chooseColumns } from './choose-columns';
import { chooseMethod } from './choose-method';
import { clear } from './clear';
import { diagnoseDataset } from './diagnose-dataset';
import { explainExample } from './explain-example';
import { explainFinding } from './explain-finding';
import { fixAllFindings, fixFinding } from './fix-finding';
import { markReviewed, unmarkReviewed } from './mark-reviewed';
import { nextFailing } from './next-failing';
import { nextFinding, previousFinding } from './next-finding';
import { openDataset } from './open-dataset';
import { openSample } from './open-sample';
import { predict } from './predict';
import { restartWorker } from './restart-worker';
import { selectModel } from './select-model';
import { showLog } from './show-log';
import { showMoreFindings } from './show-more-findings';
import { showRelated } from './show-related';
import { testRobustness } from './test-robustness';
import { toggleHeat } from './toggle-heat';
import { goToPage, nextPage, previousPage } from './turn-page';

/** VS Code passes whatever the caller gave; each command checks its own. */
type Command = (app: App, ...args: never[]) => unknown;

const commands: Readonly<Record<string, Command>> = {
  'assay.openDataset': openDataset,
  'assay.openSample': openSample,
  'assay.diagnoseDataset': diagnoseDataset,
  'assay.predict': predict,
  'assay.explainExample': explainExample,
  'assay.toggleHeat': toggleHeat,
  'assay.chooseMethod': chooseMethod,
  'assay.testRobustness': testRobustness,
  'assay.nextFailing': nextFailing,
  'assay.selectModel': selectModel,
  'assay.chooseColumns': chooseColumns,
  'assay.nextFinding': nextFinding,
  'assay.previousFinding': previousFinding,
  'assay.markReviewed': markReviewed,
  'assay.unmarkReviewed': unmarkReviewed,
  'assay.fixFinding': fixFinding,
  'assay.fixAllFindings': fixAllFindings,
  'assay.explainFinding': explainFinding,
  'assay.showRelated': showRelated,
  'assay.showMoreFindings': showMoreFindings,
  'assay.previousPage': previousPage,
  'assay.nextPage': nextPage,
  'assay.goToPage': goToPage,
  'assay.clear': clear,
  'assay.showLog': showLog,
  'assay.restartWorker': restartWorker,
};

export function registerCommands(app: App): vscode.Disposable {
  const registered = Object.entries(commands).map(([id, command]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await command(app, ...(args as never[]));
      } catch (error) {
        sayError(app.log, error);
        return undefined;
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
