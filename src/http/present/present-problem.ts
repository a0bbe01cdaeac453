import { type Problem, problems } from '#domain/problem.ts';

/** Which request a problem is about. */
export interface Occurrence {
  publicUrl: string;
  /** Its path, without the query, which may hold what its caller would not want repeated; null where it is not known. */
  path: string | null;
  requestId: string;
}

/** The body of an error (contract A11). */
export function presentProblem(problem: Problem, { publicUrl, path, requestId }: Occurrence): object {
  const { status, title } = problems[problem.code];
  const { headers: _, push = {}, ...members } = problem.extras;
  return {
    type: `${publicUrl}/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance: path,
    request_id: requestId,
    ...members,
    ...push,
    ...(status === 403 && { buy_url: `${publicUrl}/plans`, plans_url: `${publicUrl}/api/v1/plans` }),
  };
}
