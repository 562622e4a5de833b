/** Why the server does not start, in one sentence for the person who started it. Nothing was written when it is thrown. */
export class StartRefusal extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartRefusal';
  }
}
