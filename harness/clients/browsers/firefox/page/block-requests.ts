/** Runs in Firefox's parent process: ends every request whose address one of the expressions matches before it is sent. */
interface Channel {
  readonly URI: { readonly spec: string };
  cancel(status: number): void;
}

declare const Services: {
  readonly obs: {
    addObserver(observer: { observe(subject: unknown): void }, topic: string): void;
  };
};
declare const Ci: Readonly<Record<string, new () => Channel>>;
declare const Cr: Readonly<Record<string, number>>;

export function blockRequests(expressions: readonly string[]): string {
  const blocked = expressions.map((expression) => new RegExp(expression));
  const observer = {
    observe(subject: unknown): void {
      if (!(subject instanceof (Ci.nsIHttpChannel as new () => Channel))) return;
      if (blocked.some((expression) => expression.test(subject.URI.spec)))
        subject.cancel(Cr.NS_ERROR_BLOCKED_BY_POLICY ?? 0);
    },
  };
  Services.obs.addObserver(observer, 'http-on-modify-request');
  return 'blocking';
}
