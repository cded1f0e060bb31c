/** **Previous Page**, **Next Page**, **Go to Page…**: through a file that is shown in pages. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { type PageAddress, pageAddress } from '../pages/page-uri';
import { UserError } from '../user-error';
import { activeEditor } from './active-session';
import { diagnosePage } from './diagnose-dataset';

export function previousPage(app: App): Promise<void> {
  return turn(app, -1);
}

export function nextPage(app: App): Promise<void> {
  return turn(app, 1);
}

async function turn(app: App, step: number): Promise<void> {
  const address = activePage();
  const index = address.index + step;
  if (index < 0 || index >= address.pageCount) {
    vscode.window.setStatusBarMessage(`Assay: this is the ${step < 0 ? 'first' : 'last'} page`, 4000);
    return;
  }
  await diagnosePage(app, { ...address, index });
}

/** `page`, from 1 on, comes from other extensions and tests: no question is asked then. */
export async function goToPage(app: App, page?: number): Promise<void> {
  const address = activePage();
  const { pageCount } = address;
  const asked =
    typeof page === 'number'
      ? String(page)
      : await vscode.window.showInputBox({
          title: 'Go to Page',
          prompt: `A page from 1 to ${pageCount.toLocaleString('en-US')}`,
          value: String(address.index + 1),
          validateInput: (text) => (numberOf(text, pageCount) === null ? faultOf(pageCount) : null),
        });
  if (asked === undefined) return;
  const number = numberOf(asked, pageCount);
  if (number === null) throw new UserError(faultOf(pageCount));
  await diagnosePage(app, { ...address, index: number - 1 });
}

/** A whole number from 1 to `pageCount`, also written `1,200`. */
function numberOf(text: string, pageCount: number): number | null {
  const plain = text.replace(/[,\s]/g, '');
  const number = Number(plain);
  return /^\d+$/.test(plain) && number >= 1 && number <= pageCount ? number : null;
}

function faultOf(pageCount: number): string {
  return `There are pages 1 to ${pageCount.toLocaleString('en-US')}.`;
}

function activePage(): PageAddress {
  const address = pageAddress(activeEditor().document.uri);
  if (address === null) {
    throw new UserError(
      'This file is shown as a whole. Only files over 50 MB, Parquet and single-line JSON have pages.',
    );
  }
  return address;
}
