/**
 * Commands that give something to the world: what a registry took cannot be had back, and what others see is changed. As
 * data. Sources: the manual of each tool.
 */
import type { Row } from './named-commands.ts';

const DRY = /^(--dry-run(=(client|server|true|none|all))?|-n|--dryrun|--dry|--help|-h)$/;
const once = (...words: string[]): readonly Row[] => words.map((word) => [word, undefined, DRY] as const);
const hosting: readonly Row[] = [
  ['repo sync', /^(-f|--force)$/],
  ['repo edit', /^--(visibility|accept-visibility-change-consequences)/],
  'repo rename,archive,unarchive',
  ['pr merge', /^--admin$/],
  ['mr merge', /^--force$/],
  'workflow disable',
  // What was there cannot be read back.
  'secret set',
  ['api', /\bmutation\b[^{]*\{\s*\w*\s*:?\s*(delete|remove|archive|transfer|unlink)/i],
];
const image: readonly Row[] = [
  ...once('push', 'image push', 'manifest push', 'compose push'),
  ['buildx build', /^--push$/],
  ['build', /^--push$/],
  'swarm leave',
  'swarm ca',
  'node demote',
];
const gradle: readonly Row[] = [
  ['', /^:?([\w-]+:)*(publish(?!ToMavenLocal)\w*|closeAndRelease\w*|uploadArchives)$/, /^(-m|--dry-run)$/],
];
const maven: readonly Row[] = [
  ['', /^(deploy|release:(perform|prepare)|deploy:deploy-file|nexus-staging:\w+|site-deploy)$/, /^-DdryRun/],
];

/** For good: what a registry took stays there. */
export const PUBLISHES: Readonly<Record<string, readonly Row[]>> = {
  npm: once('dist-tag add,rm'),
  pnpm: once('dist-tag add,rm'),
  yarn: [...once('npm publish'), 'npm tag add,remove', ...once('publish')],
  lerna: once('publish'),
  changeset: once('publish'),
  'semantic-release': once(''),
  'release-it': once(''),
  np: once(''),
  twine: once('upload'),
  flit: once('publish'),
  hatch: once('publish'),
  pdm: once('publish'),
  maturin: once('publish', 'upload'),
  'python-semantic-release': once('publish'),
  cargo: [...once('publish', 'release'), ['release', /^(-x|--execute)$/]],
  gem: once('push'),
  rake: once('release'),
  mvn: maven,
  mvnw: maven,
  gradle,
  gradlew: gradle,
  sbt: [['', /^(\+?publish(Signed)?|release)$/]],
  dotnet: ['nuget push,delete'],
  nuget: ['push', 'delete'],
  vsce: once('publish', 'unpublish'),
  ovsx: once('publish'),
  deno: once('publish'),
  jsr: once('publish'),
  mix: ['hex.publish'],
  dart: once('pub publish'),
  flutter: once('pub publish'),
  pod: ['trunk push', 'trunk delete'],
  clojars: ['deploy'],
  stack: ['upload'],
  cabal: ['upload'],
  luarocks: ['upload'],
};

/** What is seen by others, or is put in place of what they have. */
export const SHOWN: Readonly<Record<string, readonly Row[]>> = {
  docker: image,
  podman: image,
  nerdctl: image,
  'docker-compose': once('push'),
  buildah: once('push'),
  skopeo: once('copy', 'sync', 'delete'),
  crane: once('push', 'copy', 'cp', 'tag', 'delete'),
  oras: once('push', 'copy', 'attach'),
  helm: once('push'),
  gh: hosting,
  glab: hosting,
};
