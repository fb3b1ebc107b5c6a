/** Runs in Firefox's parent process: requests to one origin get headers, and a redirect to another origin loses them. */
interface Channel {
  readonly URI: { readonly prePath: string };
  getRequestHeader(name: string): string;
  setRequestHeader(name: string, value: string, merge: boolean): void;
}

interface Header {
  readonly name: string;
  readonly value: string;
}

declare const Services: {
  readonly obs: {
    addObserver(observer: { observe(subject: unknown): void }, topic: string): void;
  };
};
declare const Ci: Readonly<Record<string, new () => Channel>>;

export function giveHeaders(origin: string, headers: readonly Header[]): string {
  const has = (channel: Channel, { name, value }: Header): boolean => {
    try {
      return channel.getRequestHeader(name) === value;
    } catch {
      return false; // it throws for a header that there is not
    }
  };
  const observer = {
    observe(subject: unknown): void {
      if (!(subject instanceof (Ci.nsIHttpChannel as new () => Channel))) return;
      const isOwn = subject.URI.prePath === origin;
      for (const header of headers)
        if (isOwn) subject.setRequestHeader(header.name, header.value, false);
        else if (has(subject, header)) subject.setRequestHeader(header.name, '', false);
    },
  };
  Services.obs.addObserver(observer, 'http-on-modify-request');
  return 'giving';
}
