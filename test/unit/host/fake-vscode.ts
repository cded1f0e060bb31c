/** As much of `vscode` as the code needs that keeps what was reviewed: files in memory, and answers that a test gives. Import it before that code. */
import Module from 'node:module';
import path from 'node:path';

/** What is in no file of this machine is read and written through VS Code. */
const scheme = 'vscode-vfs';

class Uri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, at: string) {
    this.scheme = scheme;
    this.path = at;
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.path}`;
  }

  static joinPath(uri: Uri, ...parts: string[]): Uri {
    return new Uri(uri.scheme, path.posix.join(uri.path, ...parts));
  }
}

class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}

/** What a test sets, and what it looks at afterwards. */
export const fake = {
  isTrusted: true,
  files: new Map<string, string>(),
  /** Every access to a file, `read …` and so on. */
  accesses: [] as string[],
  watched: 0,
  warnings: [] as string[],
  /** What a person chooses when warned. */
  answer: undefined as string | undefined,
  commands: [] as string[],
  renamed: new EventEmitter<{ files: { oldUri: Uri; newUri: Uri }[] }>(),
  uri: (at: string) => new Uri(scheme, at),
};

const folder = { uri: new Uri(scheme, '/work') };

const vscode = {
  Uri,
  EventEmitter,
  FileSystemError,
  RelativePattern: class {},
  workspace: {
    get isTrusted() {
      return fake.isTrusted;
    },
    textDocuments: [],
    getWorkspaceFolder: (uri: Uri) => (uri.path.startsWith('/work/') ? folder : undefined),
    asRelativePath: (uri: Uri) => path.posix.relative(folder.uri.path, uri.path),
    onDidRenameFiles: fake.renamed.event,
    createFileSystemWatcher() {
      fake.watched++;
      const none = () => ({ dispose() {} });
      return { onDidChange: none, onDidCreate: none, onDidDelete: none, dispose() {} };
    },
    fs: {
      async readFile(uri: Uri) {
        fake.accesses.push(`read ${uri.path}`);
        const text = fake.files.get(uri.path);
        if (text === undefined) throw new FileSystemError();
        return new TextEncoder().encode(text);
      },
      async writeFile(uri: Uri, bytes: Uint8Array) {
        fake.accesses.push(`write ${uri.path}`);
        fake.files.set(uri.path, new TextDecoder().decode(bytes));
      },
      async createDirectory(uri: Uri) {
        fake.accesses.push(`create ${uri.path}`);
      },
    },
  },
  window: {
    async showWarningMessage(message: string) {
      fake.warnings.push(message);
      return fake.answer;
    },
    setStatusBarMessage() {},
  },
  commands: {
    async executeCommand(command: string) {
      fake.commands.push(command);
    },
  },
};

// The bundle of a test asks Node for it, which has none.
const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load;
loader._load = function (this: unknown, request, ...rest) {
  return request === 'vscode' ? vscode : load.call(this, request, ...rest);
};
