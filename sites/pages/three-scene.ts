/** A page whose only script is a module that imports the whole of three.js from its source files. */
export const threePage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>three.js from source modules</title>
<meta name="viewport" content="width=device-width">
<style>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: #10141c; color: #dde5f2 }
header, main { max-width: 960px; margin: auto; padding: 24px }
canvas { width: 100%; aspect-ratio: 16 / 9; background: #182030; border-radius: 8px }
</style>
</head>
<body>
<header><h1>Torus knot</h1><p>Drawn with the geometry and camera of three.js on a 2D canvas, so that no GPU is needed.</p></header>
<main><canvas width="960" height="540"></canvas><p id="facts">Loading modules</p></main>
<script type="module" src="main.js"></script>
</body>
</html>
`;

export const threeScript = `import * as THREE from './src/Three.js';

const canvas = document.querySelector('canvas');
const pen = canvas.getContext('2d');
const geometry = new THREE.TorusKnotGeometry(1, 0.35, 200, 24);
const camera = new THREE.PerspectiveCamera(45, canvas.width / canvas.height, 0.1, 100);
camera.position.set(0, 0, 4.5);
camera.updateMatrixWorld();
const positions = geometry.getAttribute('position');
const point = new THREE.Vector3();
const colour = new THREE.Color();
for (let index = 0; index < positions.count; index++) {
  point.fromBufferAttribute(positions, index).project(camera);
  colour.setHSL(index / positions.count, 0.7, 0.6);
  pen.fillStyle = colour.getStyle();
  pen.fillRect((point.x + 1) * canvas.width / 2, (1 - point.y) * canvas.height / 2, 3, 3);
}
document.querySelector('#facts').textContent = positions.count + ' vertices, three.js revision ' + THREE.REVISION;
`;
