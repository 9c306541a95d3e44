/** What was to be JSON is not, or is cut off. Junk comes in floods, so that no stack is taken for it. */
export class InvalidJson extends Error {
  constructor(offset: number) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`not valid JSON at byte ${offset}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'InvalidJson';
  }
}
