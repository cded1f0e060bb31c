/** One import of a source file, found by reading the text: the type checker's own interface is not available to tests. */
export interface FoundImport {
  specifier: string;
  /** Erased by the compiler: `import type`, `export type`, `typeof import()`. */
  isTypeOnly: boolean;
  /** 1-based. */
  line: number;
}

const clause = /\b(import|export)\s+(type\s+)?(?:(?!\bimport\b|\bexport\b)[\w\s{},*$])*?\bfrom\s*(['"])([^'"]+)\3/g;
const sideEffect = /(?<![\w.])import\s*(['"])([^'"]+)\1/g;
const call = /(typeof\s+)?(?<![\w.])(?:import|require)\s*\(\s*(['"`])([^'"`]+)\2/g;

export function importsOf(source: string): FoundImport[] {
  const code = withoutComments(source);
  const lineAt = (offset: number): number => code.slice(0, offset).split('\n').length;
  const found: FoundImport[] = [];
  for (const match of code.matchAll(clause)) {
    found.push({ specifier: match[4]!, isTypeOnly: match[2] !== undefined, line: lineAt(match.index) });
  }
  for (const match of code.matchAll(sideEffect)) {
    found.push({ specifier: match[2]!, isTypeOnly: false, line: lineAt(match.index) });
  }
  for (const match of code.matchAll(call)) {
    found.push({ specifier: match[3]!, isTypeOnly: match[1] !== undefined, line: lineAt(match.index) });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Comments become spaces, line for line; what looks like a comment inside a string, template or expression stays. */
function withoutComments(source: string): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:;!&|?{}\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])*\//g;
  return source.replace(token, (found) =>
    found.startsWith('//') || found.startsWith('/*') ? found.replace(/[^\n]/g, ' ') : found,
  );
}
