export interface ReadEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads the events of a response one after another. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    if (response.body === null) throw new Error(`no body, status ${response.status}`);
    this.#reader = response.body.getReader();
  }

  /** The next event; undefined once the stream has ended. */
  async next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
        if (data.length === 0) continue;
        const id = lines.find((line) => line.startsWith('id: '))?.slice(4);
        return { id, data: data.join('\n') };
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  async rest(): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
