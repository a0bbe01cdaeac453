import { SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Message = Parameters<StdioServerTransport['send']>[0];
type Id = string | number;

/**
 * Passes messages on between standard input and output and the /mcp of a service, until the input ends. What a service
 * can do is defined there alone (decisions/0084). Standard output has messages and nothing else.
 */
export async function forwardMessages({ url, apiKey }: { url: string; apiKey: string | null }): Promise<void> {
  const model = new StdioServerTransport();
  const service = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` } },
  });
  const running = new Map<Id, AbortController>();
  let handshake: Id | null = null;
  // It may have closed its end in the meantime.
  const answer = (message: Message) => void model.send(message).catch(() => {});

  service.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) && message.id === handshake) {
      service.setProtocolVersion(String(message.result.protocolVersion));
    }
    answer(message);
  };
  model.onmessage = async (message) => {
    if ('method' in message && message.method === 'notifications/cancelled') {
      running.get(message.params?.requestId as Id)?.abort();
      return;
    }
    if (!isJSONRPCRequest(message)) {
      await service.send(message).catch(() => {});
      return;
    }
    const { id } = message;
    if (isInitializeRequest(message)) handshake = id;
    const call = new AbortController();
    running.set(id, call);
    try {
      await service.send(message, { requestSignal: call.signal });
    } catch (error) {
      // Nobody waits for the answer to a cancelled request.
      if (!call.signal.aborted) answer(describeFailure(id, error, url));
    } finally {
      running.delete(id);
    }
  };
  model.onclose = () => void service.close();

  await service.start();
  await model.start();
}

/** What the service says about its refusal, or else why there is no answer. Nothing here repeats the key. */
function describeFailure(id: Id, error: unknown, url: string): Message {
  const failed = (message: string) => ({ jsonrpc: '2.0' as const, id, error: { code: -32603, message } });
  if (!(error instanceof SdkHttpError)) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    return failed(`The service at ${url} does not answer${reason}. Start it, or correct MASTHEAD_URL.`);
  }
  try {
    // Refused before its message was read, so it has no id.
    return parseJSONRPCMessage({ ...JSON.parse(String(error.data.text)), id });
  } catch {
    return failed(`${url}/mcp answered with status ${error.status}. Correct MASTHEAD_URL.`);
  }
}
