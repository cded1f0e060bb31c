/** The address of a page: a virtual document whose URI says all that is needed to read it. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ColumnChoice } from '../../protocol/dataset';
import type { PageParams } from '../../protocol/pages';

export const pageScheme = 'assay-page';

export interface PageAddress {
  file: vscode.Uri;
  /** From 0 on. */
  index: number;
  pageCount: number;
  choice: ColumnChoice | null;
}

export function pageUri({ file, index, pageCount, choice }: PageAddress): vscode.Uri {
  const count = pageCount.toLocaleString('en-US');
  return vscode.Uri.from({
    scheme: pageScheme,
    path: `${file.path} (page ${(index + 1).toLocaleString('en-US')} of ${count}).jsonl`,
    query: JSON.stringify({ file: file.toString(), index, pageCount, choice }),
  });
}

/** Null: it is no page. */
export function pageAddress(uri: vscode.Uri): PageAddress | null {
  if (uri.scheme !== pageScheme) return null;
  const { file, ...rest } = JSON.parse(uri.query) as Omit<PageAddress, 'file'> & { file: string };
  return { ...rest, file: vscode.Uri.parse(file, true) };
}

/** The file that a document shows, or a page of which it shows: what is remembered of a dataset is remembered of it. */
export function datasetUri(uri: vscode.Uri): vscode.Uri {
  return pageAddress(uri)?.file ?? uri;
}

export function pageParams({ file, index, choice }: PageAddress): PageParams {
  return { path: file.fsPath, name: path.basename(file.path), choice, index };
}
