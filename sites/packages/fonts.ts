import type { PageMount } from '../pages/page-source.ts';

const version = '5.2.5';

/** What the package of each family must be. */
const integrities: Readonly<Record<string, string>> = {
  lato: 'sha512-d8aogKOul7a3eYG3UzTG8PB6A0D+6tlkFQCACmKQ7qTwB3XS6QmkSW1L0vYbVE9CfCRq/Zpb5sG3gNA6yJea/A==',
  'source-sans-pro':
    'sha512-ypendqc4pYUc+EgF7qqPY9iVYEz1t/Qr03VojKxG/2g3dnpHa1B6DOlDxWQjQXDj5QrG6inEqGT0g+edjALZyg==',
  'open-sans':
    'sha512-f0Ww6H+LB6GXA8UCgqs90h4djVttu3quH/1+wkfUY8b09mG1ESn4ACRBHYY78bsoeDXpaCyZh7eoGROBWplvAQ==',
  montserrat:
    'sha512-/OA+bdg1yqUArDUnEeCqDwgTDiIpvED56TxYskje8UKpsvjl/0A9eNod7IcdHz6/Osi70vo7briRO3la8/u+5Q==',
  'roboto-slab':
    'sha512-pOWJaBy+i4bI10Q5aSXqXxfF5Oow1wq07+5QFX3O15QkQ0TwTXDQR4yxFUjmVYR2p8tZOe408FbR25AQx8mqwg==',
  inter: 'sha512-kbsPKj0S4p44JdYRFiW78Td8Ge2sBVxi/PIBwmih+RpSXUdvS9nbs1HIiuUSPtRMi14CqLEZ/fbk7dj7vni1Sg==',
};

/** The one style sheet a font service would answer with; see `fontMount`. */
export const fontStyles = 'styles.css';

/** A family as a font service gives it: one style sheet for all the weights (`400`, `300-italic`), Latin letters. */
export function fontMount(family: string, weights: readonly string[]): PageMount {
  const integrity = integrities[family];
  if (integrity === undefined) throw new RangeError(`no font package is pinned for ${family}`);
  return {
    package: { name: `@fontsource/${family}`, version, integrity, licence: 'OFL-1.1' },
    directory: '',
    joined: { [fontStyles]: weights.map((weight) => `latin-${weight}.css`) },
  };
}
