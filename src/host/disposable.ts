/** Owns disposables; one that is added after the end is disposed at once, so that nothing outlives its owner. */
export class Disposables {
  readonly #owned: { dispose(): unknown }[] = [];
  #isDisposed = false;

  add<T extends { dispose(): unknown }>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#owned.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const item of this.#owned.splice(0).reverse()) item.dispose();
  }
}
