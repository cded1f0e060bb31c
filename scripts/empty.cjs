// Stands for optional packages that the bundle must not carry.
module.exports = {};
