// SPDX-License-Identifier: Apache-2.0
// What the tests of HDF5 files share: a file in Gadget's layout, and changes to it that the library would not write.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/files/file.h"
#include "io/files/seal.h"
#include "io/hdf5/hdf5.h"
#include "io_support.h"

namespace hornbeam::test {

/// Changes a written file object by object through HDF5 itself.
class Editor {
 public:
  explicit Editor(const fs::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose) {}

  void remove(const char* object) { ASSERT_GE(H5Ldelete(file_.id(), object, H5P_DEFAULT), 0); }
  void remove_attribute(const char* object, const char* name) {
    ASSERT_GE(H5Adelete_by_name(file_.id(), object, name, H5P_DEFAULT), 0);
  }
  template <class T>
  void attribute(const char* object, const char* name, hid_t type, const std::vector<T>& values) {
    if (H5Aexists_by_name(file_.id(), object, name, H5P_DEFAULT) > 0) remove_attribute(object, name);
    const hsize_t count = values.size();
    const io::Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const io::Hdf5Handle attribute(
        H5Acreate_by_name(file_.id(), object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    ASSERT_GE(H5Awrite(attribute.id(), type, values.data()), 0);
  }
  /// Replaces a dataset; without values it is declared only.
  void dataset(const char* name, hid_t type, const std::vector<hsize_t>& shape, const void* values = nullptr,
               hid_t properties = H5P_DEFAULT) {
    if (H5Lexists(file_.id(), name, H5P_DEFAULT) > 0) remove(name);
    const io::Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    const io::Hdf5Handle dataset(H5Dcreate2(file_.id(), name, type, space.id(), H5P_DEFAULT, properties, H5P_DEFAULT),
                                 H5Dclose);
    ASSERT_TRUE(dataset.valid());
    if (values != nullptr) {
      ASSERT_GE(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    }
  }
  [[nodiscard]] hid_t id() const { return file_.id(); }

 private:
  io::Hdf5Handle file_;
};

/// Gives a checkpoint, after `change` to its bytes, a seal that agrees with them.
inline void reseal(const fs::path& path, const std::function<void(std::vector<std::byte>&)>& change) {
  std::vector<std::byte> bytes = read_file(path);
  change(bytes);
  io::ReplacedFile file(path);
  io::FileWriter out(file);
  out.write(bytes);
  out.flush();
  io::write_seal(file, 4);
  file.commit();
}

/// Begins with a file of two particles of each family.
class GadgetHdf5 : public testing::Test {
 protected:
  void SetUp() override { write_snapshot(path_, sample(2)); }

  /// The refusal of the sample after `edit`, without the file's name.
  std::string refusal(const std::function<void(Editor&)>& edit) {
    write_snapshot(path_, sample(2));
    {
      Editor editor(path_);
      edit(editor);
    }
    const std::string error = error_of([&] { read_snapshot(path_); });
    const std::string subject = path_.string() + ": ";
    return error.starts_with(subject) ? error.substr(subject.size()) : error;
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "a.hdf5";
};

}  // namespace hornbeam::test
