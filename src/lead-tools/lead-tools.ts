import { instantly } from './instantly.ts';
import { lemlist } from './lemlist.ts';
import { smartlead } from './smartlead.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** THE OUTBOUND TOOLS. Settings, export formats, pushes, the API reference and the explorer are read from here. */
export const leadTools: readonly ToolDefinition[] = [instantly, smartlead, lemlist];
