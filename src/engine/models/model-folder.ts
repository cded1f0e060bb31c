/** A model folder in the Hugging Face layout, read and checked; nothing of it runs yet. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Task } from '../../protocol/dataset';
import type { ModelInfo } from '../../protocol/prediction';
import { isRecord, parseAssayFile } from './assay-file';
import { inferMarkers, inferNegativeLabel, looksLikeRelations } from './inference-of-task';
import { ModelError } from './model-error';
import { dtypeOf, findExternalData, findOnnxFile, hashFiles } from './onnx-file';
import { type EntityTemplate, entityPresets } from './template';

export { ModelError };

export interface ModelFolder {
  info: ModelInfo;
  /** How entities are written into the text; null for a model that reads none. */
  markers: EntityTemplate | null;
  /** `markers` is a guess from the tokenizer's added tokens (or "not at all" where it shows none): ask the person. */
  markersInferred: boolean;
  /** Absolute path. */
  onnxFile: string;
  /** Absolute paths of the files with weights outside the ONNX file. */
  externalData: string[];
  /** What fills short rows of a batch. */
  padTokenId: number;
  /** What stands for a word that is hidden from the model; null where its tokenizer has none. */
  maskTokenId: number | null;
  /** As it is written in a text. */
  maskToken: string | null;
  /** The parsed tokenizer.json and tokenizer_config.json. */
  tokenizer: { json: Record<string, unknown>; config: Record<string, unknown> };
}

/** How many tokens are taken to be read where neither file says it. */
const defaultMaxTokens = 512;

/** Throws ModelError, which says what is missing or malformed in which file, and what to do. */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const root = path.resolve(folder);
  if (!(await stat(root).catch(() => null))?.isDirectory()) {
    throw new ModelError(
      `${root} is not a folder. A model is a folder with config.json, tokenizer.json and an .onnx file.`,
    );
  }
  const config = await readJson(root, 'config.json', 'Save the model with save_pretrained into this folder.');
  const tokenizerJson = await readJson(
    root,
    'tokenizer.json',
    'Save the fast tokenizer with save_pretrained into this folder.',
  );
  const tokenizerConfig = (await readOptionalJson(root, 'tokenizer_config.json')) ?? {};
  const assayJson = await readOptionalJson(root, 'assay.json');
  if (!isRecord(tokenizerJson.model)) {
    throw new ModelError(
      `${path.join(root, 'tokenizer.json')} has no "model": it is not a tokenizer of the tokenizers library.`,
    );
  }
  const maskToken = namedToken('mask_token', tokenizerJson, tokenizerConfig);
  const labels = labelsOf(config, path.join(root, 'config.json'));
  const assay = assayJson === null ? null : parseAssayFile(assayJson, path.join(root, 'assay.json'));
  const found = inferMarkers(addedTokensOf(tokenizerJson));
  const task: Task = assay?.task ?? (found !== null || looksLikeRelations(labels) ? 'relation' : 'sentiment');
  const markers =
    task === 'relation' ? (assay?.entities ?? found ?? { ...entityPresets.none!, mentions: 'closest' }) : null;
  if (assay?.negativeLabel != null && !labels.includes(assay.negativeLabel)) {
    throw new ModelError(
      `${path.join(root, 'assay.json')}: "negativeLabel" is "${assay.negativeLabel}", which is not among the labels in config.json.`,
    );
  }
  const onnxFile = await findOnnxFile(root);
  const externalData = await findExternalData(onnxFile, root);
  return {
    info: {
      name: path.basename(root),
      folder: root,
      task,
      labels,
      negativeLabel: task !== 'relation' ? null : assay === null ? inferNegativeLabel(labels) : assay.negativeLabel,
      hash: await hashFiles([onnxFile, ...externalData]),
      dtype: dtypeOf(onnxFile),
      maxTokens: maxTokensOf(config, tokenizerConfig),
    },
    markers,
    markersInferred: task === 'relation' && (assay?.entities ?? null) === null,
    onnxFile,
    externalData,
    padTokenId:
      typeof config.pad_token_id === 'number'
        ? config.pad_token_id
        : (namedToken('pad_token', tokenizerJson, tokenizerConfig)?.id ?? 0),
    maskTokenId: maskToken?.id ?? null,
    maskToken: maskToken?.content ?? null,
    tokenizer: { json: tokenizerJson, config: tokenizerConfig },
  };
}

async function readJson(folder: string, name: string, remedy: string): Promise<Record<string, unknown>> {
  const json = await readOptionalJson(folder, name);
  if (json === null) throw new ModelError(`${path.join(folder, name)} is missing. ${remedy}`);
  return json;
}

/** Null where there is no such file. */
async function readOptionalJson(folder: string, name: string): Promise<Record<string, unknown> | null> {
  const file = path.join(folder, name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isRecord(error) && error.code === 'ENOENT') return null;
    throw new ModelError(`${file} cannot be read: ${String(error)}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new ModelError(`${file} is not valid JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
  if (!isRecord(json)) throw new ModelError(`${file} must hold one JSON object.`);
  return json;
}

function labelsOf(config: Record<string, unknown>, file: string): string[] {
  if (config.problem_type === 'multi_label_classification') {
    throw new ModelError(
      `${file}: this is a multi-label model. Assay works with models that give one label an example.`,
    );
  }
  if (config.problem_type === 'regression' || config.num_labels === 1) {
    throw new ModelError(`${file}: this model gives a number, not a label. Assay works with classifiers.`);
  }
  // Files with the usual two unnamed labels leave id2label out.
  if (config.id2label === undefined || config.id2label === null) {
    const count = typeof config.num_labels === 'number' ? config.num_labels : 2;
    return Array.from({ length: count }, (_, id) => `LABEL_${id}`);
  }
  if (!isRecord(config.id2label)) throw new ModelError(`${file}: "id2label" must be an object from ids to labels.`);
  const byId = new Map(Object.entries(config.id2label));
  const labels = Array.from({ length: byId.size }, (_, id) => byId.get(String(id)));
  if (labels.length < 2 || !labels.every((label) => typeof label === 'string')) {
    throw new ModelError(`${file}: "id2label" must name each of the ids 0, 1, 2, … (two at least) by a string.`);
  }
  const twice = labels.find((label, id) => labels.indexOf(label) !== id);
  if (twice !== undefined) throw new ModelError(`${file}: "id2label" has the label "${twice}" twice.`);
  return labels;
}

function addedTokensOf(tokenizerJson: Record<string, unknown>): string[] {
  const added: unknown[] = Array.isArray(tokenizerJson.added_tokens) ? tokenizerJson.added_tokens : [];
  return added.flatMap((token) => (isRecord(token) && typeof token.content === 'string' ? [token.content] : []));
}

/** Models whose first position is the padding id plus one, so that they read fewer tokens than they have positions. */
const positionsAfterPadding = /roberta|camembert|longformer|bertweet|mpnet|esm/;

function maxTokensOf(config: Record<string, unknown>, tokenizerConfig: Record<string, unknown>): number {
  const limits: number[] = [];
  const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 8 && value < 1e6;
  if (isCount(tokenizerConfig.model_max_length)) limits.push(tokenizerConfig.model_max_length);
  if (isCount(config.max_position_embeddings)) {
    const isShifted = positionsAfterPadding.test(String(config.model_type));
    const shift = isShifted ? (typeof config.pad_token_id === 'number' ? config.pad_token_id : 1) + 1 : 0;
    limits.push(config.max_position_embeddings - shift);
  }
  return limits.length === 0 ? defaultMaxTokens : Math.min(...limits);
}

/** The token that tokenizer_config.json gives this part, as a string or as an object with its `content`. */
function namedToken(
  part: 'pad_token' | 'mask_token',
  tokenizerJson: Record<string, unknown>,
  tokenizerConfig: Record<string, unknown>,
): { id: number; content: string } | null {
  const named = tokenizerConfig[part];
  const content = isRecord(named) ? named.content : named;
  const added: unknown[] = Array.isArray(tokenizerJson.added_tokens) ? tokenizerJson.added_tokens : [];
  const token = added.find((candidate) => isRecord(candidate) && candidate.content === content);
  return isRecord(token) && typeof token.id === 'number' && typeof content === 'string'
    ? { id: token.id, content }
    : null;
}
