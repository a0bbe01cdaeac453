import { errors } from '@elastic/elasticsearch';
import { isUnavailable } from './elasticsearch-faults.ts';
import type { NodeChoice, NodePool } from './node-pool.ts';
import { UnusableAnswer } from './read-response.ts';

/**
 * Sends a request that may be sent twice, and once more, to another node, where the first did not answer it or another
 * node was lost while it waited: the first may wait for that one, and Elasticsearch would let it wait for half a minute.
 * The first whole answer counts.
 *
 * @param retry whether a second request is left, shared by all that belong together
 * @param discard takes a second answer, which nobody needs
 */
export async function askAnotherNode<Answer>(
  nodes: NodePool,
  retry: { isLeft: boolean },
  send: (choice: NodeChoice) => Promise<Answer>,
  discard: (unused: Answer) => unknown = () => {},
): Promise<Answer> {
  const choice: NodeChoice = {};
  if (!retry.isLeft) return send(choice);
  const loss = nodes.watchForLoss();
  const first = send(choice);
  try {
    const failure = first.then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const outcome = await Promise.race([failure, loss.lost]);
    if (outcome === null) return await first;
    if (outcome !== undefined && !isFaultOfNode(outcome.error)) throw outcome.error;
  } finally {
    loss.end();
  }
  retry.isLeft = false;
  const second = send({ except: choice.taken });
  const answer = await Promise.any([first, second]).catch(() => second);
  for (const sent of [first, second]) {
    sent.then(
      (other) => other !== answer && discard(other),
      () => {},
    );
  }
  return answer;
}

/** Whether another node may succeed. */
function isFaultOfNode(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isUnavailable(error.statusCode);
  return error instanceof errors.ConnectionError || (error instanceof UnusableAnswer && error.isFaultOfNode);
}
