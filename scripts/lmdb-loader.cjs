// Stands for node-gyp-build-optional-packages inside the bundle: lmdb's binary lies in lmdb/ beside the bundle.
const fs = require('node:fs');
const path = require('node:path');

module.exports = () => {
  const folder = path.join(__dirname, 'lmdb');
  const isMusl = process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime;
  const wanted = isMusl ? /musl/ : /^node\.napi(\.glibc)?\.node$/;
  const file = fs.readdirSync(folder).find((name) => wanted.test(name));
  if (file === undefined) throw new Error(`No lmdb binary for this platform in ${folder}`);
  return require(path.join(folder, file));
};
