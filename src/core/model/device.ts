import { z } from 'zod';

/** What a page is shown on: the same for the recording of a site and for every trial of it. */
export const deviceSchema = z.object({
  name: z.string(),
  /** Viewport in CSS pixels. */
  width: z.number().int().min(1).max(10_000),
  height: z.number().int().min(1).max(10_000),
  /** Device pixels to a CSS pixel. */
  scale: z.number().min(0.1).max(10),
  /** Whether pages are laid out as for a phone (`<meta name=viewport>`). */
  mobile: z.boolean(),
  touch: z.boolean(),
  /** Absent: the browser's own. */
  userAgent: z.string().optional(),
});
export type Device = z.infer<typeof deviceSchema>;

/** What journeys are shown on unless asked otherwise: the size of Playwright's pages, which their scripts are written for. */
export const journeyDesktop: Device = {
  name: 'desktop',
  width: 1280,
  height: 720,
  scale: 1,
  mobile: false,
  touch: false,
};

/** What every trial and recording is shown on unless asked otherwise: a common desktop size. */
export const desktop: Device = {
  name: 'desktop',
  width: 1350,
  height: 940,
  scale: 1,
  mobile: false,
  touch: false,
};
