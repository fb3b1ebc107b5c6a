import type { PageSource } from '../../../sites/pages/page-source.ts';
import { tablerPackage } from '../../../sites/pages/tabler-package.ts';

export const added: PageSource = {
  id: 'added-page',
  title: 'a page of one sheet',
  own: 'tabler',
  mounts: { tabler: { package: tablerPackage, directory: 'dist' } },
  entry: 'index.html',
  files: {
    'index.html':
      '<!doctype html><title>added</title><link rel="stylesheet" href="css/tabler.min.css"><p>added',
  },
  measured: { objects: 2, hosts: 1, wireBytes: 70_000, types: { html: 1, css: 1 } },
};
