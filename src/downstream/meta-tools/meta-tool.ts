import type { Catalog } from '../../catalog/catalog.ts';
import type { Member } from '../../json/scan.ts';
import type { RequestFrame, ResponseFrame } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import type { Access } from '../../policy/access.ts';
import type { ToolIndex } from '../../search/tool-index.ts';
import type { UpstreamViews } from '../upstream-view.ts';

/** What the meta-tools work on. */
export interface MetaToolContext {
  readonly catalog: Catalog;
  readonly upstreams: UpstreamViews;
  readonly access: Access;
  /** Whether other clients may come as well, so that what is the machine's own is not told. */
  readonly isOneOfMany: boolean;
  readonly client: Peer;
  readonly settings: () => MetaToolSettings;
  /** Resolves with the index when every tool of the catalog can be found in it, or after a moment. */
  readonly indexed: () => Promise<ToolIndex>;
  /** Pins that stand for no known tool, and those without a server that stand for tools of several. */
  readonly pinProblems: () => {
    readonly unmatched: readonly string[];
    readonly ambiguous: readonly string[];
  };
  /** Sees the answers of forwarded calls, e.g. to learn which server a resource link came from. */
  readonly onanswer: (server: string, call: RequestFrame, answer: ResponseFrame) => void;
}

export interface MetaToolSettings {
  /** Hits of a search when the client asks for no number. */
  readonly topK: number;
  readonly maxAnswerTokens: number;
  readonly configuration: ConfigurationView;
}

/** Where what is configured comes from. */
export interface ConfigurationView {
  readonly file: string;
  /** What led to the file, in words. */
  readonly foundBy?: string;
  /** Why no server of it runs, and what to do. */
  readonly notice?: string;
  /** An edit of the file that does not count yet, why, and what to do. */
  readonly waiting?: string;
}

/** A call of a meta-tool: the request, the members of its `params`, and those of `params.arguments`. */
export interface MetaCall {
  readonly request: IncomingRequest;
  readonly params: readonly Member[];
  readonly args: readonly Member[];
}

/** A tool that toolsift itself provides. */
export interface MetaTool {
  readonly name: string;
  /** Its entry in `tools/list`; `servers` is the sentence part that names the servers behind it. */
  readonly define: (servers: string) => object;
  readonly handle: (call: MetaCall, context: MetaToolContext) => void | Promise<void>;
}
