import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** A server that offers what the official conformance scenarios ask for; one per session. */
export declare function createConformanceServer(): Server;
