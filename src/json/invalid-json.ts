/** What was to be JSON is not, or is cut off. */
export class InvalidJson extends Error {
  constructor(offset: number) {
    super(`not valid JSON at byte ${offset}`);
    this.name = 'InvalidJson';
  }
}
