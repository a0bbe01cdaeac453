import * as elasticsearch from '#backends/elasticsearch/index-form.ts';
import * as embedded from '#backends/embedded/index-form.ts';
import { readingForm } from '#backends/mongo/reading-form.ts';

/** The forms of both indexes, as this version makes them. */
export interface IndexForms {
  embedded: string;
  elasticsearch: string;
}

export function indexForms(): IndexForms {
  return { embedded: embedded.indexForm(), elasticsearch: elasticsearch.indexForm(readingForm()) };
}
