import {
  createMcpHandler,
  isLegacyRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { Problem, problems } from '#src/problem.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { instructions, type ToolDeps, tools } from './tools.ts';

interface MessageContext extends ToolDeps {
  caller: Caller;
  requestId: string;
}

/**
 * Over HTTP, without a session: each request is on its own, and the answer is never a stream. Clients of versions
 * before 2026-07-28 are answered as these say. `message`: the body of the request, parsed; not a batch.
 */
export async function answerMessage(request: Request, message: object, context: MessageContext): Promise<Response> {
  const create = () => createServer(context);
  if (!(await isLegacyRequest(request, message))) {
    // Nothing changes while somebody listens, so nobody can subscribe.
    const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: message });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = create();
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

const listedTools = tools.map(({ name, title, description, input, output }) => ({
  name,
  title,
  description,
  inputSchema: toJsonSchema(input, 'input'),
  outputSchema: toJsonSchema(output, 'output'),
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}));

type ListedSchema = ListToolsResult['tools'][number]['inputSchema'];

function toJsonSchema(type: z.ZodType, io: 'input' | 'output'): ListedSchema {
  // A default is what parameters mean without it, after they are read: nothing that a model could write.
  const override = ({ jsonSchema }: { jsonSchema: { default?: unknown } }) => delete jsonSchema.default;
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, override, unrepresentable: 'any' });
  return { ...schema, type: 'object' } as ListedSchema;
}

function createServer(context: MessageContext): Server {
  const server = new Server(
    { name: 'masthead', title: 'Masthead', version: manifest.version, websiteUrl: context.publicUrl },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listedTools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This tool does not exist. Use one of ${names}.`);
    }
    try {
      const answer = await tool.call(params.arguments ?? {}, context, context.caller);
      // A model needs no list of what is unknown.
      const text = JSON.stringify(answer, (_, value) => value ?? undefined);
      return { content: [{ type: 'text', text }], structuredContent: { ...answer } };
    } catch (error) {
      const problem = toProblem(error, context.requestId);
      const isOurs = problems[problem.code].status >= 500;
      if (isOurs) context.log.error({ request_id: context.requestId, err: error }, problem.message);
      return { content: [{ type: 'text', text: forModels(describeProblem(problem)) }], isError: true };
    }
  });
  return server;
}

/** A model sees no request_id beside the text, so the text of a fault of our own names it. */
function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  return new Problem(
    'internal',
    `Something went wrong on our side. The error is logged under the request_id ${requestId}.`,
  );
}

/** What the API advises to call, and what a model has instead. */
const insteadOfCalls = {
  'GET /api/v1/lists': 'get_lists',
  'GET /api/v1/export': 'an export, which the person you work for can make,',
};

function forModels(text: string): string {
  return Object.entries(insteadOfCalls).reduce((read, [call, instead]) => read.replace(call, instead), text);
}

/** What the API says, in lines: the code with what is wrong, or with each wrong argument and what is right. */
function describeProblem({ code, message, extras: { errors = [], more_errors } }: Problem): string {
  const lines = errors.map(({ name, message, did_you_mean }) => {
    const meant = did_you_mean === undefined ? '' : ` Did you mean ${JSON.stringify(did_you_mean)}?`;
    return `${name || 'arguments'}: ${message}${meant}`;
  });
  const more = more_errors === undefined ? [] : [`and ${more_errors} more`];
  return [`${code}: ${errors.length === 0 ? message : problems[code].title}`, ...lines, ...more].join('\n');
}
