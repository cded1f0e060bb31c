/** The settings of the checks. */
import * as vscode from 'vscode';
import type { CheckOptions } from '../../protocol/findings';
import { datasetUri } from '../pages/page-uri';

const section = 'assay.checks';

export function checkOptions(uri: vscode.Uri): CheckOptions {
  const settings = vscode.workspace.getConfiguration(section, datasetUri(uri));
  return {
    nearDuplicateThreshold: within(settings.get('nearDuplicateThreshold'), 0.5, 1, 0.8),
    fewExamples: within(settings.get('fewExamples'), 0, Number.MAX_SAFE_INTEGER, 10),
    imbalanceRatio: within(settings.get('imbalanceRatio'), 1, Number.MAX_SAFE_INTEGER, 10),
    disabled: codes(settings.get('disabled')),
  };
}

export function affectsChecks(event: vscode.ConfigurationChangeEvent, uri: vscode.Uri): boolean {
  return event.affectsConfiguration(section, datasetUri(uri));
}

/** A settings file may hold anything. */
function within(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === 'number' && value >= least && value <= most ? value : otherwise;
}

function codes(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((code) => typeof code === 'string') : [];
}
