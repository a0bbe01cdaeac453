import {
  type ConnectionRequestOptions,
  type ConnectionRequestParams,
  type ConnectionRequestResponse,
  errors,
  UndiciConnection,
} from '@elastic/elasticsearch';

type Headers = ConnectionRequestResponse['headers'];

/**
 * The client's connection to a node, with answers taken as they arrive: the client itself makes a stream, an iterator and a signal of each,
 * a fifth of the processor time of a small request.
 */
export class DirectConnection extends UndiciConnection {
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions,
    // biome-ignore lint/suspicious/noExplicitAny: the client's types have answers as streams, too, and no type is both
  ): Promise<any> {
    if (options.signal !== undefined || 'asStream' in options) return super.request(params, options);
    const { timeout } = options;
    const { method, querystring, body = null } = params;
    const path = `${this.url.pathname.replace(/\/$/, '')}${params.path}${querystring ? `?${querystring}` : ''}`;
    const headers = { ...this.headers, ...params.headers };
    return new Promise<ConnectionRequestResponse>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const answer = { statusCode: 0, headers: {} as Headers };
      let abort: ((fault: Error) => void) | null = null;
      let fault: Error | null = null;
      const timer = timeout === undefined ? undefined : setTimeout(endLate, timeout);
      this.pool.dispatch(
        { method: method as 'POST', path, headers, body },
        {
          onConnect(cut) {
            abort = cut;
            // It waited for a connection until it was too late.
            if (fault !== null) cut(fault);
          },
          onHeaders(statusCode, raw) {
            Object.assign(answer, { statusCode, headers: readHeaders(raw) });
            return true;
          },
          onData: (chunk) => chunks.push(chunk) > 0,
          onComplete() {
            clearTimeout(timer);
            resolve({ ...answer, body: Buffer.concat(chunks).toString() });
          },
          onError(error) {
            clearTimeout(timer);
            reject(fault ?? toClientError(error));
          },
        },
      );

      function endLate() {
        fault = new errors.TimeoutError('Request timed out');
        reject(fault);
        abort?.(fault);
      }
    });
  }
}

/** @param raw names and values in turns */
function readHeaders(raw: readonly Buffer[]): Headers {
  const headers: Headers = {};
  for (let at = 0; at < raw.length; at += 2) headers[String(raw[at]).toLowerCase()] = String(raw[at + 1]);
  return headers;
}

function toClientError(error: Error & { code?: string }): Error {
  const isLate = error.code === 'UND_ERR_HEADERS_TIMEOUT' || error.code === 'UND_ERR_BODY_TIMEOUT';
  return isLate ? new errors.TimeoutError('Request timed out') : new errors.ConnectionError(error.message);
}
