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
import { requireScope } from '#accounts/further-key.ts';
import type { Caller } from '#accounts/stored-key.ts';
import { Problem, problems } from '#src/problem.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { simplify } from '../openapi.ts';
import { aboutFilters, aboutRanges } from '../parse/filter-parameters.ts';
import texts from './tools.json' with { type: 'json' };
import { type ToolDeps, tools } from './tools.ts';

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

/** The arguments that tools have explained so far. A model reads the whole list of tools before its first call. */
const explained = new Set<string>();

/** What a model cannot use: what parameters mean without them after they are read, and bounds that errors name. */
const leftOut = ['default', 'examples', 'minimum', 'minLength', 'maxItems', 'additionalProperties'];
/** The same in descriptions, and how URLs have several values. */
const leftOutText =
  / (?:At most \d+ (?:names|in all|characters[^.]*)|Separate them with commas[^.]*|For several, repeat[^.]*|It never goes back)(?=[.:])\.?/g;

const listedTools = tools.map(({ name, input, output, writes }) => ({
  name,
  title: texts.tools[name].title,
  description: texts.tools[name].description.replace('{filters}', `${aboutFilters} ${aboutRanges.all}`),
  inputSchema: sayOnce(toJsonSchema(input, 'input')),
  outputSchema: outlineOf(toJsonSchema(output, 'output')),
  annotations: {
    readOnlyHint: writes === undefined,
    destructiveHint: false,
    ...(writes === 'once' && { idempotentHint: true }),
    openWorldHint: false,
  },
}));

type ListedSchema = ListToolsResult['tools'][number]['inputSchema'];

interface Described {
  description?: string;
  maximum?: number;
  enum?: unknown[];
  type?: unknown;
  override?: unknown;
}

function toJsonSchema(type: z.ZodType, io: 'input' | 'output'): ListedSchema {
  const override = ({ jsonSchema }: { jsonSchema: Described }) => {
    if (typeof jsonSchema.override === 'function') jsonSchema.override({ jsonSchema });
    delete jsonSchema.override;
    simplify({ jsonSchema });
    for (const key of leftOut) Reflect.deleteProperty(jsonSchema, key);
    // An argument that can be null can be left out.
    if (io === 'input' && Array.isArray(jsonSchema.type)) [jsonSchema.type] = jsonSchema.type;
    // Nobody reaches it.
    if ((jsonSchema.maximum ?? 0) > 1e12) delete jsonSchema.maximum;
    // The description of the tool says what `!` does to each word.
    if (jsonSchema.enum) jsonSchema.enum = jsonSchema.enum.filter((word) => !String(word).startsWith('!'));
    if (jsonSchema.description)
      jsonSchema.description = jsonSchema.description.replace(aboutRanges.each, '').replace(leftOutText, '');
  };
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, override, unrepresentable: 'any' });
  return { ...schema, type: 'object' } as ListedSchema;
}

/** The names and types in an answer: these speak for themselves, and models see every answer. */
function outlineOf({ properties = {} }: ListedSchema): ListedSchema {
  const outlined = Object.entries(properties).map(([name, property]) => [name, { type: Object(property).type }]);
  return { type: 'object', properties: Object.fromEntries(outlined) };
}

/** Leaves out what an earlier tool has said of an argument of the same name: its description and its words. */
function sayOnce(schema: ListedSchema): ListedSchema {
  const isNew = (text: string) => explained.size < explained.add(text).size;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description, enum: words, items, ...rest } = property as Described & { items?: Described };
    const { enum: wordsOfItems, ...otherItems } = items ?? {};
    return [
      name,
      {
        ...rest,
        ...(description && isNew(`${name}: ${description}`) && { description }),
        ...(words && isNew(`${name}: ${words}`) && { enum: words }),
        ...(items && { items: wordsOfItems && isNew(`${name}: ${wordsOfItems}`) ? items : otherItems }),
      },
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function createServer(context: MessageContext): Server {
  const server = new Server(
    { name: 'masthead', title: 'Masthead', version: manifest.version, websiteUrl: context.publicUrl },
    { capabilities: { tools: {} }, instructions: texts.instructions.join('\n') },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listedTools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This tool does not exist. Use one of ${names}.`);
    }
    try {
      requireScope(context.caller.further, tool.scope);
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
  'GET /api/v1/records/{id}': 'get_record',
  'GET /api/v1/export': 'an export, which the person you work for can make,',
  ', or page by page with after': '',
};

function forModels(text: string): string {
  return Object.entries(insteadOfCalls).reduce((rewritten, [call, instead]) => rewritten.replace(call, instead), text);
}

/** What the API says, in lines: the code with what is wrong, or with each wrong argument and what is right. */
function describeProblem({ code, message, extras: { errors = [], more_errors } }: Problem): string {
  const lines = errors.map(({ name, message, did_you_mean }) => {
    const suggestion = did_you_mean === undefined ? '' : ` Did you mean ${JSON.stringify(did_you_mean)}?`;
    return `${name || 'arguments'}: ${message}${suggestion}`;
  });
  const more = more_errors === undefined ? [] : [`and ${more_errors} more`];
  return [`${code}: ${errors.length === 0 ? message : problems[code].title}`, ...lines, ...more].join('\n');
}
