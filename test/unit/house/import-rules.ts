/** The arrows of the house (ARCHITECTURE.md): who may import whom. */
import path from 'node:path';
import { type FoundImport, importsOf } from './import-scan';

/** Each may import those after it. */
const chain = ['report', 'bias', 'perturbation', 'attribution', 'models', 'onnx', 'datasets'];
/** Open to all rooms; import no other room. */
const openRooms = ['text', 'statistics'];

interface Zone {
  /** Zones whose files may be imported, itself included. */
  mayImport: readonly string[];
  /** Zones of which only types may be imported. */
  typesOnly?: readonly string[];
  isForbidden?(packageName: string): boolean;
}

const native = (name: string): boolean => /^(onnxruntime-|@huggingface\/|lmdb$|msgpackr)/.test(name);
const process = (name: string): boolean =>
  /^(node:)?(child_process|worker_threads|cluster|process)$/.test(name) || name.startsWith('vscode-jsonrpc');

const engineRooms = [...chain, ...openRooms];
const engine = engineRooms.map((room) => `engine/${room}`);

const zones = new Map<string, Zone>([
  ['extension', { mayImport: ['host', 'protocol'], isForbidden: native }],
  ['host', { mayImport: ['host', 'protocol'], isForbidden: native }],
  ['worker', { mayImport: ['worker', 'protocol', ...engine] }],
  ['cli', { mayImport: ['cli', 'protocol', ...engine] }],
  ['protocol', { mayImport: ['protocol'], isForbidden: () => true }],
  ['webview', { mayImport: ['webview', 'protocol'], isForbidden: (name) => native(name) || name.startsWith('node:') }],
  ...engineRooms.map((room): [string, Zone] => {
    const own = `engine/${room}`;
    const after = chain.indexOf(room) < 0 ? [] : chain.slice(chain.indexOf(room) + 1);
    const open = openRooms.includes(room) ? [] : openRooms;
    return [
      own,
      {
        mayImport: [own, ...[...after, ...open].map((name) => `engine/${name}`)],
        typesOnly: ['protocol'],
        isForbidden: process,
      },
    ];
  }),
]);

/** `file` is relative to the root, with `/`. Undefined: the house has no such room. */
function zoneOf(file: string): string | undefined {
  if (file === 'src/extension.ts') return 'extension';
  const [top, second, third] = file.split('/');
  if (top === 'webview') return 'webview';
  if (top !== 'src') return undefined;
  const name = second === 'engine' ? `engine/${third}` : second;
  return name !== undefined && name !== 'extension' && zones.has(name) ? name : undefined;
}

/** Every breach of the rules among the files (path relative to the root -> source), as sentences. */
export function breaches(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of files) {
    const zoneName = zoneOf(file);
    if (zoneName === undefined) {
      found.push(`${file} stands in no room of the house`);
      continue;
    }
    const targets: string[] = [];
    for (const one of importsOf(source)) {
      const at = `${file}:${one.line}`;
      if (!one.specifier.startsWith('.')) {
        const breach = packageBreach(zoneName, one);
        if (breach !== null) found.push(`${at} ${breach}`);
        continue;
      }
      if (isAsset(one.specifier)) continue;
      const target = resolve(file, one.specifier, files);
      if (target === undefined) {
        found.push(`${at} imports ${one.specifier}, which does not exist in src or webview`);
        continue;
      }
      targets.push(target);
      const breach = arrowBreach(zoneName, target, one);
      if (breach !== null) found.push(`${at} ${breach}`);
    }
    graph.set(file, targets);
  }
  return [...found, ...circles(graph).map((circle) => `circle: ${circle.join(' -> ')}`)];
}

function arrowBreach(from: string, target: string, { isTypeOnly }: FoundImport): string | null {
  const zone = zones.get(from)!;
  const to = zoneOf(target);
  if (to === undefined || zone.mayImport.includes(to)) return null;
  if (zone.typesOnly?.includes(to)) {
    return isTypeOnly ? null : `imports ${target} as a value: ${from} takes types only (import type)`;
  }
  return `imports ${target} against the arrows: ${from} may not import ${to}`;
}

function packageBreach(from: string, { specifier }: FoundImport): string | null {
  if (specifier === 'vscode') {
    return from === 'host' || from === 'extension' ? null : `imports vscode outside host/ and extension.ts`;
  }
  return zones.get(from)!.isForbidden?.(specifier) ? `imports ${specifier}, which ${from} may not` : null;
}

function isAsset(specifier: string): boolean {
  return /\.(css|svg|json|html|txt)$/.test(specifier);
}

function resolve(file: string, specifier: string, files: ReadonlyMap<string, string>): string | undefined {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const bare = target.replace(/\.(js|mjs)$/, '');
  return [target, `${bare}.ts`, `${bare}.tsx`, `${bare}.mts`].find((candidate) => files.has(candidate));
}

/** One circle for each file that closes one on a depth-first walk. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (file: string): void => {
    const entered = trail.indexOf(file);
    if (entered >= 0) {
      found.push([...trail.slice(entered), file]);
      return;
    }
    if (finished.has(file)) return;
    trail.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    trail.pop();
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}
