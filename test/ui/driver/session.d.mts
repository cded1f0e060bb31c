import type { Browser } from 'playwright-core';

export interface ServerOptions {
  which?: 'current' | 'oldest';
  /** Packaged extensions (.vsix files) to install. */
  extensions?: string[];
  settings?: Record<string, unknown>;
  /** Reaches the extension host. */
  env?: Record<string, string>;
  port?: number;
}

export interface Server {
  url: string;
  port: number;
  pid: number;
  runFolder: string;
  settingsFile: string;
  logFile: string;
  stop(): Promise<void>;
}

export function sharedServer(options: ServerOptions): Promise<Server>;
export function sharedBrowser(): Promise<Browser>;
export function endSession(): Promise<void>;
