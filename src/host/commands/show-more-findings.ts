/** Lists the next findings of a kind: the last entry of a long list in the side bar. */
import type { App } from '../app';
import type { MoreNode } from '../findings/findings-tree';

export function showMoreFindings(app: App, node?: MoreNode): void {
  if (node?.type === 'more') app.findingsTree.showMore(node);
}
