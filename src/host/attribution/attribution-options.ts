/** The settings of attribution. */
import * as vscode from 'vscode';
import { type AttributionOptions, baselines, type MethodId, methodIds } from '../../protocol/attribution';
import { datasetUri } from '../pages/page-uri';

const section = 'assay.attribution';
const defaultSteps = 32;

export function attributionOptions(uri: vscode.Uri): AttributionOptions {
  const settings = vscode.workspace.getConfiguration(section, datasetUri(uri));
  // A settings file may hold anything.
  const steps = settings.get<unknown>('steps');
  return {
    method: methodIds.find((id) => id === settings.get('method')) ?? 'ig',
    steps: typeof steps === 'number' && steps >= 1 && steps <= 4096 ? Math.round(steps) : defaultSteps,
    baseline: baselines.find((id) => id === settings.get('baseline')) ?? 'zero',
  };
}

export function affectsAttribution(event: vscode.ConfigurationChangeEvent, uri: vscode.Uri): boolean {
  return event.affectsConfiguration(section, datasetUri(uri));
}

/** Where the person has set it already, else for them everywhere. */
export async function setMethod(uri: vscode.Uri, method: MethodId): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section, datasetUri(uri));
  const set = settings.inspect('method');
  const target =
    set?.workspaceFolderValue !== undefined
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : set?.workspaceValue !== undefined
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
  await settings.update('method', method, target);
}
