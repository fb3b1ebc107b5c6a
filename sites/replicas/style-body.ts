import type { ReplicaObject } from './replica-object.ts';
import { replicaHost } from './replica-object.ts';
import type { ReplicaPlan } from './plan-replica.ts';

/** Rule by which a style sheet asks for an object as soon as an element makes it apply. */
export function styleRule(object: ReplicaObject, plan: ReplicaPlan, port: number): string {
  const url = `//${replicaHost(plan.domain, object.host)}:${port}${object.path}`;
  return object.type === 'font' ? fontFace(object, url) : `.b${object.row}{background-image:url(${url})}`;
}

export function fontFace(object: ReplicaObject, url: string): string {
  return `@font-face{font-family:f${object.row};src:url(${url})}.f${object.row}{font-family:f${object.row}}`;
}

/** What the sheet holds besides the rules: every class of images has a place in the layout. */
export const layoutRules =
  'body{margin:16px;font:16px/1.4 sans-serif;background:#fff;color:#222}h1{font-size:32px;margin:0 0 8px}' +
  'img,i{display:inline-block;background:#eee;vertical-align:top;margin:2px;background-size:cover}' +
  '.i0{width:1px;height:1px}.i1{width:24px;height:24px}.i2{width:120px;height:90px}' +
  '.i3{width:300px;height:200px}.i4{width:620px;height:330px}iframe{border:0;width:300px;height:60px}p{margin:4px 0}';
