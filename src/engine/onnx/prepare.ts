/** A model's graph in the form that the rest of this folder works on. */
import { expandFused } from './expand-fused';
import { Graph } from './graph';
import type { ModelProto } from './messages';
import { opsetOf } from './model';
import { raiseOpset } from './raise-opset';
import { inferFacts } from './shapes/infer';

/** The model is not changed. Throws OnnxError. */
export function prepareGraph(model: ModelProto): { graph: Graph; opset: number } {
  const graph = new Graph(model.graph!);
  const opset = raiseOpset(graph, opsetOf(model));
  expandFused(graph, inferFacts(graph));
  return { graph, opset };
}
